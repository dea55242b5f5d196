import DeviceModel

extension LineForm {
  /// Why the body of a line means nothing.
  enum Malformation: Error, Hashable, Sendable, CustomStringConvertible {
    /// A hello of another version of the protocol.
    case version(Int)
    /// No letter of this version: to be passed over.
    case unknownLetter(UInt8)
    case notUTF8
    /// What was expected, and where.
    case malformed(String)

    var description: String {
      switch self {
      case .version(let version): "version \(version) of the line form is not known here, 1 is"
      case .unknownLetter(let letter): "no line begins with the byte \(letter)"
      case .notUTF8: "a line is not UTF-8"
      case .malformed(let what): what
      }
    }
  }

  /// Takes the escapes out of text.
  ///
  /// - Parameter place: What the text is, for the error.
  static func unescaped(_ text: ArraySlice<UInt8>, _ place: String) throws(Malformation) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == UInt8(ascii: "\\") else {
        bytes.append(text[index])
        index += 1
        continue
      }
      guard index + 2 < text.endIndex, let high = hexadecimalValue(text[index + 1]),
        let low = hexadecimalValue(text[index + 2]), case let byte = high << 4 | low,
        (1...0x7F).contains(byte),
        high < 8
      else { throw .malformed("\(place) has a backslash without two digits, 01 to 7f, behind it") }
      bytes.append(byte)
      index += 3
    }
    guard let string = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    return string
  }

  static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case ..<0x20, 0x7F, mark, UInt8(ascii: "\\"):
        bytes += [UInt8(ascii: "\\"), (byte >> 4).hexadecimalDigit, byte.hexadecimalDigit]
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
