/// What may be written for an option.
public indirect enum OptionType: Sendable {
  /// One line of so many characters.
  case text(ClosedRange<Int>)
  /// So many characters, line breaks and control characters among them.
  case rawText(ClosedRange<Int>)
  /// Like text; never quoted in a message.
  case secret(ClosedRange<Int>)
  /// `true`, `yes`, `on`, `false`, `no`, `off`, in either case.
  case boolean
  /// Decimal digits.
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// `500ms`, `10s`, `5m`, `1h`.
  case duration(ClosedRange<Duration>)
  /// One of these words.
  case choice([String])
  case hostPort
  case bluetoothAddress
  /// A file; a relative path is relative to the file in which it is written.
  case path
  /// Text with a form of its own.
  case rule(OptionRule)
  case list(OptionType, count: ClosedRange<Int>)
  case object(OptionSchema)
  /// Names of the owner's choice (`[a-z0-9_]+`), each with a value of the type.
  case map(OptionType, count: ClosedRange<Int>)
  /// Any words, each with a value of the type: what a board calls a state, say.
  case table(OptionType, count: ClosedRange<Int>)
  /// A mapping that stands here, or in a file of its own whose path stands here; whoever reads the configuration
  /// puts the file's mapping in the path's place.
  case document(OptionSchema)
  /// The one of these that has the value's shape (scalar, list, mapping): `nus`, or `{ service: …, … }`.
  case shapes([OptionType])
  /// Kept as it is written, to be checked by someone who knows what it must be.
  case anything
}

/// A form of text that is not worth an ``OptionType`` of its own.
public struct OptionRule: Sendable {
  /// What becomes of a text.
  public enum Outcome: Sendable {
    case accepted(OptionValue)
    /// With what is wrong, in words that do not quote the text, and what was probably meant.
    case refused(because: String? = nil, suggestion: String? = nil)
  }

  /// For the table of options: `MQTT topic`.
  public var name: String
  /// For messages: `a topic without + and #`.
  public var expectation: String
  public var parse: @Sendable (String) -> Outcome

  public init(
    _ name: String, expectation: String, parse: @escaping @Sendable (String) -> Outcome
  ) {
    self.name = name
    self.expectation = expectation
    self.parse = parse
  }
}

extension OptionType {
  /// With its article, for `expected …`.
  public var expectation: String {
    switch self {
    case .text(let lengths): "text\(Self.characters(lengths))"
    case .rawText(let lengths): "text\(Self.characters(lengths))"
    case .secret(let lengths): "text\(Self.characters(lengths))"
    case .boolean: "true or false"
    case .integer(let range): "an integer\(Self.range(range.lowerBound, range.upperBound, .min, .max))"
    case .number(let range):
      "a number\(Self.range(range.lowerBound, range.upperBound, -.greatestFiniteMagnitude, .greatestFiniteMagnitude))"
    case .duration(let range):
      "a duration such as 500ms, 10s or 5m, from \(range.lowerBound.configurationText)"
        + " to \(range.upperBound.configurationText)"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .hostPort: "host:port"
    case .bluetoothAddress: "a Bluetooth address such as C0:DE:00:00:00:01"
    case .path: "the path of a file"
    case .rule(let rule): rule.expectation
    case .list(let element, let count): "a list of \(Self.count(count)), each \(element.expectation)"
    case .object(let schema): "a mapping with \(schema.fields.map(\.name).joined(separator: ", "))"
    case .map(let element, _): "a mapping of names, each to \(element.expectation)"
    case .table(let element, _): "a mapping of words, each to \(element.expectation)"
    case .document(let schema): "\(OptionType.object(schema).expectation), or the path of a file with one"
    case .shapes(let types): types.map(\.expectation).joined(separator: ", or ")
    case .anything: "anything"
    }
  }

  private static func characters(_ lengths: ClosedRange<Int>) -> String {
    if lengths.lowerBound == lengths.upperBound { return " of \(lengths.lowerBound) characters" }
    return lengths.lowerBound > 1
      ? " of \(lengths.lowerBound) to \(lengths.upperBound) characters"
      : " of at most \(lengths.upperBound) characters"
  }

  private static func count(_ count: ClosedRange<Int>) -> String {
    if count.lowerBound == count.upperBound { return "\(count.lowerBound)" }
    return count.lowerBound == 0
      ? "at most \(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }

  private static func range<Bound: Comparable>(
    _ lower: Bound, _ upper: Bound, _ lowest: Bound, _ highest: Bound
  ) -> String {
    switch (lower > lowest, upper < highest) {
    case (true, true): " from \(Self.short(lower)) to \(Self.short(upper))"
    case (true, false): " of at least \(Self.short(lower))"
    case (false, true): " of at most \(Self.short(upper))"
    case (false, false): ""
    }
  }

  private static func short(_ bound: some Comparable) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
