/// A name reduced to what may stand in a topic and an entity id: `[a-z0-9_]+`.
///
/// Latin letters lose their marks, `ß` becomes `ss`, all else becomes `_`; runs of `_` are one, ends are trimmed.
public struct Slug: Hashable, Sendable, CustomStringConvertible {
  public let text: String
  public var description: String { text }

  /// 64 characters at most; a longer slug is cut there.
  public static let maximumLength = 64

  /// Nil when nothing of the name is left.
  public init?(of name: some StringProtocol) {
    var characters: [UInt8] = []
    for scalar in name.unicodeScalars {
      guard characters.count < Self.maximumLength else { break }
      let letters = LatinLetters.plain(scalar)
      if letters.isEmpty {
        if characters.last != UInt8(ascii: "_"), !LatinLetters.isMark(scalar) {
          characters.append(UInt8(ascii: "_"))
        }
      } else {
        characters.append(contentsOf: letters)
      }
    }
    let underscore = UInt8(ascii: "_")
    let trimmed = characters.prefix(Self.maximumLength).drop { $0 == underscore }
    let end = trimmed.lastIndex { $0 != underscore }
    guard let end else { return nil }
    text = String(decoding: trimmed[...end], as: UTF8.self)
  }

  /// Takes text that is a slug already; nil for any other.
  public init?(exactly text: some StringProtocol) {
    let isValid = text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
    }
    guard isValid, !text.isEmpty, text.utf8.count <= Self.maximumLength else { return nil }
    self.text = String(text)
  }
}

/// Latin letters without their marks, for Latin-1 Supplement and Latin Extended-A, the letters of European names.
enum LatinLetters {
  /// Lower-case ASCII letters or the digit that stand for `scalar`; empty when none do.
  static func plain(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return [UInt8(scalar.value)]
    case 0x41...0x5A: return [UInt8(scalar.value) + 0x20]
    case 0xC0...0x17F: return Array(table[Int(scalar.value) - 0xC0].utf8)
    case 0x1E9E: return Array("ss".utf8)
    case 0x218, 0x219: return Array("s".utf8)
    case 0x21A, 0x21B: return Array("t".utf8)
    default: return []
    }
  }

  /// Combining marks belong to the letter before them and leave no trace of their own.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

  /// U+00C0 to U+017F in order.
  private static let table: [String] =
    ("a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss "
    + "a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th y "
    + "a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g g g g g h h h h "
    + "i i i i i i i i i i ij ij j j k k q l l l l l l l l l l n n n n n n n n n "
    + "o o o o o o oe oe r r r r r r s s s s s s s s t t t t t t "
    + "u u u u u u u u u u u u w w y y y z z z z z z s")
    .split(separator: " ").map { $0 == "-" ? "" : String($0) }
}
