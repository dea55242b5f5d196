import DeviceModel

/// A template's text to its pieces.
struct TemplateParser {
  private var rest: Substring.UnicodeScalarView
  private let isHexadecimal: Bool
  private var found: [Template.Piece] = []
  private var literal = ""

  init(_ text: String, isHexadecimal: Bool) {
    rest = text.unicodeScalars[...]
    self.isHexadecimal = isHexadecimal
  }

  mutating func pieces() throws(TemplateError) -> [Template.Piece] {
    while let next = rest.popFirst() {
      switch next {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.unicodeScalars.append(next)
      case "{":
        try endLiteral()
        found.append(.slot(try slot()))
      case "}": throw TemplateError(what: "a '}' without '{'", expectation: "'}}' for the brace itself")
      default: literal.unicodeScalars.append(next)
      }
    }
    try endLiteral()
    guard !found.isEmpty else { throw TemplateError(what: "it sends nothing") }
    return found
  }

  private mutating func endLiteral() throws(TemplateError) {
    guard !literal.isEmpty else { return }
    defer { literal = "" }
    guard isHexadecimal else { return found.append(.bytes(Array(literal.utf8))) }
    guard let bytes = [UInt8](spacedHexadecimal: literal.utf8) else {
      throw TemplateError(
        what: "'\(literal.excerpt)' is no pairs of hexadecimal digits", expectation: "such as 'A0 01'")
    }
    if !bytes.isEmpty { found.append(.bytes(bytes)) }
  }

  private mutating func slot() throws(TemplateError) -> Template.Slot {
    var inside = ""
    while let next = rest.popFirst() {
      guard next != "}" else {
        let slot = try Self.slot(inside)
        if isHexadecimal, !slot.form.isBinary {
          throw TemplateError(
            what: "'{\(inside.excerpt)}' among hexadecimal digits does not say how many bytes it is",
            expectation: "a form such as {value:u8}, {value:i16be} or {value:ascii20}")
        }
        return slot
      }
      inside.unicodeScalars.append(next)
    }
    throw TemplateError(what: "'{' is not ended by '}'", expectation: "'{{' for the brace itself")
  }

  private static func slot(_ inside: String) throws(TemplateError) -> Template.Slot {
    let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0])
    let fallback = sides.count == 2 ? String(sides[1]) : nil
    let form = parts.count == 2 ? try form(String(parts[1])) : .plain
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path[0] == "value" {
      guard path.allSatisfy({ !$0.isEmpty }), path.count <= 8 else {
        throw TemplateError(what: "'{\(inside.excerpt)}' names nothing", expectation: "such as {value.name}")
      }
      return .init(name: .value(Array(path.dropFirst())), fallback: fallback, form: form)
    }
    guard let key = PropertyKey(name) else {
      throw TemplateError(
        what: "'{\(inside.excerpt)}' names nothing", expectation: "{value} or the key of a property")
    }
    return .init(name: .property(key), fallback: fallback, form: form)
  }

  private static func form(_ text: String) throws(TemplateError) -> Template.Form {
    if let format = NumberFormat(text) { return .bytes(format) }
    if text == "hex" { return .hexWord }
    func count(_ digits: Substring, _ range: ClosedRange<Int>) -> Int? {
      guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(digits), range.contains(number)
      else { return nil }
      return number
    }
    if text.hasPrefix("ascii"), let size = count(text.dropFirst(5), 2...255) { return .ascii(size) }
    if text.hasPrefix("."), let places = count(text.dropFirst(), 0...9) { return .decimals(places) }
    if text.hasPrefix("x") || text.hasPrefix("X"), let digits = count(text.dropFirst(), 1...8) {
      return .hexadecimal(digits, isUpper: text.hasPrefix("X"))
    }
    if let digits = count(text[...], 1...20) { return .digits(digits) }
    throw TemplateError(
      what: "the form ':\(text.excerpt)' is not known",
      expectation: "3, .1, x2, X2, hex, ascii20 or one of \(NumberFormat.words.joined(separator: ", "))",
      suggestion: nearestName(to: text, among: NumberFormat.words + ["hex"]))
  }
}
