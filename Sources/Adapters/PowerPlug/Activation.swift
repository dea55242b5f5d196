/// One on/off cycle of the power plug's table, 29 bytes on the wire, packed, little-endian.
///
/// The appliance is on from start to start + length, and again every period.
struct Activation: Hashable, Sendable {
  /// ASCII, 1 to 20 characters; names an activation for its owner.
  var name: String
  /// Seconds since 1970-01-01 UTC.
  var start: UInt32
  var lengthMinutes: UInt16
  /// 0 for a cycle that happens once.
  var periodMinutes: UInt16

  static let size = 29
  static let longestName = 20
  private static let nameField = 21

  /// Reads one slot; nil is a free one, whatever stands behind its empty name.
  ///
  /// What follows the name's NUL within the field is left over from earlier names and says nothing.
  static func decode(_ bytes: some Collection<UInt8>) throws(ActivationError) -> Activation? {
    guard bytes.count == size else { throw .wrongSize(bytes.count) }
    let bytes = Array(bytes)
    guard let end = bytes[..<nameField].firstIndex(of: 0) else { throw .nameNotTerminated }
    guard end > 0 else { return nil }
    if let place = bytes[..<end].firstIndex(where: { $0 > 0x7F }) {
      throw .nameNotASCII(byte: bytes[place], at: place)
    }
    func number(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
    return Activation(
      name: String(decoding: bytes[..<end], as: UTF8.self),
      start: UInt32(number(21)) | UInt32(number(23)) << 16,
      lengthMinutes: number(25), periodMinutes: number(27))
  }

  /// The slot's 29 bytes, the name's field filled with NUL.
  var encoded: [UInt8] {
    var bytes = Array(name.utf8.prefix(Self.longestName))
    bytes.append(contentsOf: repeatElement(0, count: Self.nameField - bytes.count))
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: start >> shift)) }
    for number in [lengthMinutes, periodMinutes] {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    return bytes
  }
}

/// Why 29 bytes are no activation.
enum ActivationError: Error, Hashable, Sendable, CustomStringConvertible {
  case wrongSize(Int)
  case nameNotTerminated
  case nameNotASCII(byte: UInt8, at: Int)

  var description: String {
    switch self {
    case .wrongSize(let size): "an activation has \(Activation.size) bytes, not \(size)"
    case .nameNotTerminated: "the name has no NUL within its 21 bytes"
    case .nameNotASCII(let byte, let place): "byte \(place) of the name is \(byte), which is not ASCII"
    }
  }
}
