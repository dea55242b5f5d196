import DeviceModel

/// The text of a configuration file before it is parsed.
enum YAMLText {
  /// The first byte that is not UTF-8, or the first control character, or what costs the parser too much.
  static func problem(in text: [UInt8], file: String) -> ConfigurationProblem? {
    var line = 1
    var column = 1
    var index = 0
    while index < text.count {
      let location = SourceLocation(file: file, line: line, column: column)
      guard let length = length(of: text[index...]) else {
        return ConfigurationProblem(
          "the byte 0x\([text[index]].capitalHexadecimal()) is not UTF-8", at: location,
          expectation: "the file saved as UTF-8")
      }
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        column = 0
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case ..<0x20, 0x7F:
        return ConfigurationProblem(
          "the control character 0x\([byte].capitalHexadecimal())", at: location, expectation: "text")
      case UInt8(ascii: "%") where column == 1 && text[index...].starts(with: "%TAG".utf8):
        // Each is compared with all before it, and no tag of ours needs one.
        return ConfigurationProblem("a %TAG directive", at: location, expectation: "none")
      default: break
      }
      index += length
      column += 1
    }
    return nil
  }

  /// The byte with which the character at a place begins.
  static func character(of text: UnsafeMutableBufferPointer<UInt8>, line: Int, column: Int) -> UInt8? {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropFirst(line - 1)
    guard let bytes = lines.popFirst() else { return nil }
    return bytes.filter { $0 & 0b1100_0000 != 0b1000_0000 }.dropFirst(column - 1).first
  }

  /// Of the UTF-8 sequence at the start of `bytes`; nil if there is none (Unicode 16, table 3-7).
  private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case ..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return nil
    }
    let rest = bytes.dropFirst().prefix(length - 1)
    guard rest.count == length - 1, let next = rest.first, second.contains(next),
      rest.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) })
    else { return nil }
    return length
  }
}
