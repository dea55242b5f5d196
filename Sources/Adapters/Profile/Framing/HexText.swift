/// Bytes as pairs of hexadecimal digits.
enum HexText {
  private static let digits = Array("0123456789ABCDEF".utf8)

  static func string(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
    bytes.map { byte in
      String(decoding: [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]], as: UTF8.self)
    }.joined(separator: separator)
  }

  /// Spaces and tabs are passed over; nil for anything else and for half a byte.
  static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
      let nibble: UInt8
      switch character {
      case 0x30...0x39: nibble = character - 0x30
      case 0x41...0x46: nibble = character - 0x41 + 10
      case 0x61...0x66: nibble = character - 0x61 + 10
      case 0x20, 0x09: continue
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return high == nil ? bytes : nil
  }
}
