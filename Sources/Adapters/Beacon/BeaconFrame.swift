import DeviceModel

/// What one advertisement of a beacon says of it.
struct BeaconFrame: Hashable, Sendable {
  var identity: BeaconIdentity
  /// Received strength at 1 m, as the maker measured it; nil for a figure that cannot be one.
  var powerDBm: Int?
}

/// Which beacon speaks, by what it advertises: its address may change at any time.
struct BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
  enum Format: String, Hashable, Sendable, CaseIterable {
    case iBeacon = "ibeacon"
    case altBeacon = "altbeacon"
    /// Eddystone-UID.
    case eddystone
  }

  let format: Format
  /// UUID, major and minor, 20 bytes; of Eddystone namespace and instance, 10 and 6. Big-endian.
  let bytes: [UInt8]

  /// With dashes; of Eddystone the namespace and the instance.
  var description: String {
    guard format != .eddystone, let uuid = BluetoothUUID(bytes: bytes.prefix(16)) else {
      return "\(bytes.prefix(10).hexadecimal):\(bytes.dropFirst(10).hexadecimal)"
    }
    return "\(uuid):\(number(at: 16)):\(number(at: 18))"
  }

  private func number(at place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
}

/// Why an advertisement that begins as a beacon's is none.
enum BeaconError: Error, Hashable, Sendable, CustomStringConvertible {
  case truncated(BeaconIdentity.Format, needed: Int, got: Int)
  /// The length within an iBeacon's data is not 21.
  case wrongLength(UInt8)

  var description: String {
    switch self {
    case .truncated(let format, let needed, let got):
      "the \(format.rawValue) has \(got) bytes, not \(needed)"
    case .wrongLength(let length): "the ibeacon says that \(length) bytes follow, not 21"
    }
  }
}
