import DeviceModel

/// Bytes as pairs of hexadecimal digits, as people write them: in capitals, with spaces between.
enum HexText {
  static func string(of bytes: some Sequence<UInt8>, separator: String = "") -> String {
    bytes.map { [$0].hexadecimal.uppercased() }.joined(separator: separator)
  }

  /// Spaces and tabs are passed over; nil for anything else and for half a byte.
  static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    let digits = text.filter { $0 != 0x20 && $0 != 0x09 }
    return [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self))
  }
}
