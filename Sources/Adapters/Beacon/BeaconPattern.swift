import DeviceModel

/// Which beacons an item is: one, or a group.
struct BeaconPattern: Hashable, Sendable {
  enum Wanted: Hashable, Sendable {
    /// An iBeacon or an AltBeacon; a number left open stands for any.
    case numbered(uuid: BluetoothUUID, major: UInt16?, minor: UInt16?)
    /// Eddystone-UID: 10 bytes, and 6 or any.
    case eddystone(namespace: [UInt8], instance: [UInt8]?)
  }

  let wanted: Wanted
  /// The bytes that come first in an identity, and those behind them; nil for any.
  private let head: [UInt8]
  private let middle: [UInt8]?
  private let tail: [UInt8]?

  init(_ wanted: Wanted) {
    self.wanted = wanted
    switch wanted {
    case .numbered(let uuid, let major, let minor):
      head = uuid.bytes
      middle = major.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      tail = minor.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .eddystone(let namespace, let instance):
      head = namespace
      middle = instance
      tail = nil
    }
  }

  /// The bytes that come first in an identity and are not left open: they stand at the same place in an iBeacon and in
  /// an AltBeacon.
  var advertised: AdvertisementPattern {
    var bytes = head
    if let middle {
      bytes += middle
      bytes += tail ?? []
    }
    if case .eddystone = wanted { return AdvertisementPattern(.serviceData, from: 2, bytes) }
    return AdvertisementPattern(.manufacturerData, from: 2, bytes)
  }

  /// Whether it may be more than one beacon.
  var isGroup: Bool {
    switch wanted {
    case .numbered(_, let major, let minor): major == nil || minor == nil
    case .eddystone(_, let instance): instance == nil
    }
  }

  func matches(_ identity: BeaconIdentity) -> Bool {
    let isEddystone = if case .eddystone = wanted { true } else { false }
    return isEddystone == (identity.format == .eddystone) && matches(identity.bytes, from: 0)
  }

  /// The frame of a beacon that is meant, in an advertisement that may hold others too. Hundreds of advertisements
  /// come each second: those of others are told by a few bytes.
  func frame(in advertisement: Advertisement) -> BeaconFrame? {
    if case .eddystone = wanted {
      guard let bytes = advertisement.serviceData[Eddystone.service], matches(bytes, from: 2) else {
        return nil
      }
      return try? BeaconFrame.eddystone(bytes)
    }
    for (company, bytes) in advertisement.manufacturerData where matches(bytes, from: 2) {
      if company == BeaconFrame.apple, let frame = try? BeaconFrame.iBeacon(bytes) { return frame }
      if let frame = try? BeaconFrame.altBeacon(bytes) { return frame }
    }
    return nil
  }

  private func matches(_ bytes: [UInt8], from start: Int) -> Bool {
    var place = start
    func takes(_ part: [UInt8]?, _ width: Int) -> Bool {
      defer { place += width }
      guard let part else { return bytes.count >= place + width }
      return bytes.dropFirst(place).starts(with: part)
    }
    if case .eddystone = wanted { return takes(head, 10) && takes(middle, 6) }
    return takes(head, 16) && takes(middle, 2) && takes(tail, 2)
  }
}
