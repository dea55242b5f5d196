extension OptionType {
  var isSecret: Bool { if case .secret = self { true } else { false } }

  func accepts(shapeOf content: LocatedValue.Content) -> Bool {
    switch (self, content) {
    case (.anything, _): true
    case (.shapes(let types), _): types.contains { $0.accepts(shapeOf: content) }
    case (.object, .mapping), (.map, .mapping), (.table, .mapping), (.document, .mapping): true
    case (.list, .sequence): true
    case (.object, _), (.map, _), (.list, _), (.table, _), (.document, _): false
    case (_, .scalar): true
    default: false
    }
  }

  static let nameExpectation = "1 to \(Slug.maximumLength) of the characters a to z, 0 to 9 and _"

  /// What the text of a scalar means; `location` is what relative paths depend on.
  func parse(_ scalar: LocatedValue.Scalar, at location: SourceLocation) -> OptionRule.Outcome {
    let text = scalar.text
    switch self {
    case .text(let lengths): return Self.line(text, lengths) { .text($0) }
    case .secret(let lengths): return Self.line(text, lengths) { .secret(Secret($0)) }
    case .rawText(let lengths):
      return lengths.contains(text.unicodeScalars.count)
        ? .accepted(.text(text)) : .refused(because: "\(text.unicodeScalars.count) characters")
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "on": return .accepted(.boolean(true))
      case "false", "no", "off": return .accepted(.boolean(false))
      default: return .refused(suggestion: nearestName(to: text, among: ["true", "false"]))
      }
    case .integer(let range): return Self.integer(text, range)
    case .number(let range): return Self.number(text, range)
    case .duration(let range): return Self.duration(text, range)
    case .choice(let words):
      return words.contains(text)
        ? .accepted(.text(text)) : .refused(suggestion: nearestName(to: text, among: words))
    case .hostPort: return HostPort(text).map { .accepted(.hostPort($0)) } ?? .refused()
    case .bluetoothAddress:
      return BluetoothAddress(text).map { .accepted(.bluetoothAddress($0)) } ?? .refused()
    case .path:
      return Self.line(text, 1...1000) { .text(location.resolve(path: $0)) }
    case .rule(let rule): return rule.parse(text)
    case .list, .object, .map, .table, .document, .shapes, .anything: return .refused()
    }
  }

  private static func line(
    _ text: String, _ lengths: ClosedRange<Int>, _ value: (String) -> OptionValue
  ) -> OptionRule.Outcome {
    let count = text.unicodeScalars.count
    guard lengths.contains(count) else {
      return .refused(because: count == 0 ? "empty" : "\(count) characters")
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      return .refused(because: "it has a line break or another control character")
    }
    return .accepted(value(text))
  }

  private static func integer(_ text: String, _ range: ClosedRange<Int>) -> OptionRule.Outcome {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return .refused() }
    // Octal to some readers of YAML, decimal to others.
    guard digits == "0" || !digits.hasPrefix("0") else { return .refused(because: "it has a leading zero") }
    guard let integer = Int(text), range.contains(integer) else { return .refused(because: "out of range") }
    return .accepted(.integer(integer))
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>) -> OptionRule.Outcome {
    guard let number = Double(decimalText: text) else { return .refused() }
    guard range.contains(number) else { return .refused(because: "out of range") }
    return .accepted(.number(number))
  }

  private static func duration(_ text: String, _ range: ClosedRange<Duration>) -> OptionRule.Outcome {
    guard let duration = Duration(configurationText: text) else {
      let seconds = Duration(configurationText: text + "s")
      return .refused(
        because: seconds == nil ? nil : "it has no unit", suggestion: seconds.map { _ in text + "s" })
    }
    guard range.contains(duration) else { return .refused(because: "out of range") }
    return .accepted(.duration(duration))
  }
}
