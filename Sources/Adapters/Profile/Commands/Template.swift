import DeviceModel

/// What is sent: bytes, with places for values.
///
/// `{value}` is the value of the command in the board's own word, `{value.name}` a member of a JSON value, `{red}` the
/// present value of another property; `{red|0}` has 0 for as long as it is not known. Behind a colon the form: `:3`
/// three digits at least, `:.1` one decimal, `:x2` and `:X2` hexadecimal digits, `:u8`, `:i16be` and so on a number in
/// bytes, `:hex` the bytes that a word of hexadecimal digits means, `:ascii21` a text that NULs fill up to 21 bytes, one
/// of them at least. Braces themselves are doubled.
struct Template: Sendable, Hashable {
  var pieces: [Piece]

  enum Piece: Sendable, Hashable {
    case bytes([UInt8])
    case slot(Slot)
  }

  struct Slot: Sendable, Hashable {
    var name: Name
    var fallback: String?
    var form: Form
  }

  enum Name: Sendable, Hashable {
    /// Of the command; for a JSON value the names on the way to a member.
    case value([String])
    case property(PropertyKey)
  }

  enum Form: Sendable, Hashable {
    case plain
    case digits(Int)
    case decimals(Int)
    case hexadecimal(Int, isUpper: Bool)
    case bytes(NumberFormat)
    case hexWord
    case ascii(Int)

    /// It makes bytes rather than text.
    var isBinary: Bool {
      switch self {
      case .bytes, .hexWord, .ascii: true
      case .plain, .digits, .decimals, .hexadecimal: false
      }
    }
  }

  var properties: [PropertyKey] {
    pieces.compactMap {
      if case .slot(let slot) = $0, case .property(let key) = slot.name { key } else { nil }
    }
  }

  var takesValue: Bool {
    pieces.contains { if case .slot(let slot) = $0, case .value = slot.name { true } else { false } }
  }

  /// Text as it is, or pairs of hexadecimal digits around its places.
  init(_ text: String, isHexadecimal: Bool) throws(TemplateError) {
    var parser = TemplateParser(text, isHexadecimal: isHexadecimal)
    pieces = try parser.pieces()
  }
}
