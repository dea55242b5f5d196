public import DeviceModel

extension JSON {
  /// Compact JSON text: no spaces, members in their order, the shortest number that reads back the same.
  ///
  /// A number without a fraction is written without one (21.0 as `21`); ``DeviceModel/Value/unknown`` and
  /// a number that is not finite are `null`.
  public static func text(of value: Value) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what ``text(of:)`` gives, as UTF-8.
  public static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .unknown: bytes.append(contentsOf: "null".utf8)
    case .boolean(true): bytes.append(contentsOf: "true".utf8)
    case .boolean(false): bytes.append(contentsOf: "false".utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .number(let number): append(number, to: &bytes)
    case .text(let text): append(text, to: &bytes)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.pairs.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    // Up to here every whole double is one integer, and exactly that.
    if abs(number) < 0x1p53, number == number.rounded(.towardZero) {
      return bytes.append(contentsOf: String(Int(number)).utf8)
    }
    bytes.append(contentsOf: number.description.utf8)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case ..<0x20:
        bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
        bytes.append(contentsOf: String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
