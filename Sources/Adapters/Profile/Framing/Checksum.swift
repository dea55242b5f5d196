import DeviceModel

/// What a message carries to show that it came whole.
struct Checksum: Sendable, Hashable {
  var method: Method
  /// The first bytes of a message that it does not cover.
  var from: Int
  /// Two digits a byte instead of bytes.
  var isHexadecimal: Bool
  /// The most significant byte first.
  var isBigEndian: Bool
  /// What stands between the message and its checksum, and is not covered.
  var separator: [UInt8]

  enum Method: String, Sendable, Hashable, CaseIterable {
    /// All bytes added, the low eight bits of it.
    case sum8
    /// What makes the sum of all bytes, itself among them, 0: 256 less the sum.
    case sum8Complement = "sum8_complement"
    case xor
    /// Polynomial 0x07 (SMBus, CRC-8).
    case crc8
    /// Polynomial 0x31 from the low bit, as Dallas's one-wire devices have it.
    case crc8Maxim = "crc8_maxim"
    /// Polynomial 0x8005 from the low bit, start 0xFFFF.
    case crc16Modbus = "crc16_modbus"
    /// Polynomial 0x1021, start 0xFFFF (CCITT-FALSE).
    case crc16CCITT = "crc16_ccitt"
    /// Polynomial 0x1021, start 0 (XMODEM).
    case crc16XModem = "crc16_xmodem"
    /// xor of what is between `$` and `*`, behind the `*` in two hexadecimal digits.
    case nmea

    /// In bytes.
    var size: Int {
      switch self {
      case .crc16Modbus, .crc16CCITT, .crc16XModem: 2
      default: 1
      }
    }
  }

  /// In bytes as they stand on the wire, the separator not counted.
  var size: Int { isHexadecimal ? 2 * method.size : method.size }

  func value(of bytes: some Sequence<UInt8>) -> UInt16 {
    switch method {
    case .sum8: UInt16(bytes.reduce(0, &+))
    case .sum8Complement: UInt16(0 &- bytes.reduce(0, &+))
    case .xor, .nmea: UInt16(bytes.reduce(0, ^))
    case .crc8: UInt16(bytes.reduce(0) { Self.shiftedUp($0 ^ $1, by: 0x07) })
    case .crc8Maxim: UInt16(bytes.reduce(0) { Self.shiftedDown($0 ^ $1, by: 0x8C) })
    case .crc16Modbus: bytes.reduce(0xFFFF) { Self.shiftedDown($0 ^ UInt16($1), by: 0xA001) }
    case .crc16CCITT: bytes.reduce(0xFFFF) { Self.shiftedUp($0 ^ UInt16($1) << 8, by: 0x1021) }
    case .crc16XModem: bytes.reduce(0) { Self.shiftedUp($0 ^ UInt16($1) << 8, by: 0x1021) }
    }
  }

  private static func shiftedUp<Word: FixedWidthInteger>(_ word: Word, by polynomial: Word) -> Word {
    (0..<8).reduce(word) { word, _ in word.leadingZeroBitCount == 0 ? (word << 1) ^ polynomial : word << 1 }
  }

  private static func shiftedDown<Word: FixedWidthInteger>(_ word: Word, by polynomial: Word) -> Word {
    (0..<8).reduce(word) { word, _ in word & 1 == 1 ? (word >> 1) ^ polynomial : word >> 1 }
  }

  /// `message` with the separator and the checksum behind it.
  func appended(to message: [UInt8]) -> [UInt8] {
    let value = value(of: message.dropFirst(from))
    var bytes =
      method.size == 1 ? [UInt8(truncatingIfNeeded: value)] : [UInt8(value >> 8), UInt8(value & 0xFF)]
    if !isBigEndian { bytes.reverse() }
    if isHexadecimal { bytes = Array(bytes.capitalHexadecimal().utf8) }
    return message + separator + bytes
  }

  /// What is before the checksum; nil when it does not fit, or there is none.
  func verified(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = message.count - size - separator.count
    guard end >= from else { return nil }
    let body = message.prefix(end)
    let whole = appended(to: Array(body))
    let isSame = zip(whole, message).allSatisfy { written, read in
      written == read || (isHexadecimal && Self.upper(written) == Self.upper(read))
    }
    return isSame ? body : nil
  }

  private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 32 : byte }
}
