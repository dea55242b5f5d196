/// One key of a mapping in the configuration: its name, its type, what holds without it, and a line about it.
public struct OptionField: Sendable {
  public enum Presence: Sendable {
    case required
    case optional
    /// What holds if nothing is written.
    case defaulted(OptionValue)
  }

  public var name: String
  public var type: OptionType
  public var presence: Presence
  /// One line for the table of options.
  public var summary: String

  public init(_ name: String, _ type: OptionType, _ presence: Presence = .optional, summary: String) {
    self.name = name
    self.type = type
    self.presence = presence
    self.summary = summary
  }
}

extension OptionField {
  /// One line of 1 to `maximum` characters.
  public static func text(
    _ name: String, maximum: Int = 200, default: String? = nil, required: Bool = false, summary: String
  ) -> OptionField {
    OptionField(
      name, .text(1...maximum), Presence(required, `default`.map { .text($0) }), summary: summary)
  }

  public static func secret(
    _ name: String, _ lengths: ClosedRange<Int> = 1...200, required: Bool = false, summary: String
  ) -> OptionField {
    OptionField(name, .secret(lengths), Presence(required, nil), summary: summary)
  }

  public static func boolean(_ name: String, default: Bool, summary: String) -> OptionField {
    OptionField(name, .boolean, .defaulted(.boolean(`default`)), summary: summary)
  }

  public static func integer(
    _ name: String, _ range: ClosedRange<Int>, default: Int? = nil, required: Bool = false, summary: String
  ) -> OptionField {
    OptionField(
      name, .integer(range), Presence(required, `default`.map { .integer($0) }), summary: summary)
  }

  public static func number(
    _ name: String, _ range: ClosedRange<Double>, default: Double? = nil, required: Bool = false,
    summary: String
  ) -> OptionField {
    OptionField(name, .number(range), Presence(required, `default`.map { .number($0) }), summary: summary)
  }

  public static func duration(
    _ name: String, _ range: ClosedRange<Duration>, default: Duration? = nil, required: Bool = false,
    summary: String
  ) -> OptionField {
    OptionField(
      name, .duration(range), Presence(required, `default`.map { .duration($0) }), summary: summary)
  }

  public static func choice(
    _ name: String, _ words: [String], default: String? = nil, required: Bool = false, summary: String
  ) -> OptionField {
    OptionField(name, .choice(words), Presence(required, `default`.map { .text($0) }), summary: summary)
  }

  public static func list(
    _ name: String, of type: OptionType, count: ClosedRange<Int> = 0...100, required: Bool = false,
    summary: String
  ) -> OptionField {
    OptionField(name, .list(type, count: count), Presence(required, nil), summary: summary)
  }

  /// Not written, it stands for its defaults, if none of its keys is required.
  public static func object(
    _ name: String, _ schema: OptionSchema, required: Bool = false, summary: String
  ) -> OptionField {
    OptionField(name, .object(schema), Presence(required, nil), summary: summary)
  }
}

extension OptionField.Presence {
  fileprivate init(_ isRequired: Bool, _ value: OptionValue?) {
    self = isRequired ? .required : value.map { .defaulted($0) } ?? .optional
  }
}
