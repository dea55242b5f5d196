/// Which keys a mapping of the configuration may have: the whole of it, a link, or the options of one kind
/// of device. The reference page is rendered from it too (``markdownTable``).
///
/// ```swift
/// let schema = OptionSchema([.integer("slots", 1...255, default: 10, summary: "Entries in the board's table.")])
/// let slots = schema.check(device.options, path: "devices[0].options", problems: &problems).integer("slots")
/// ```
public struct OptionSchema: Sendable {
  /// Keys of which only one may be written.
  public struct Alternatives: Sendable {
    public var names: [String]
    /// One of them must be written.
    public var isRequired: Bool

    public init(_ names: [String], isRequired: Bool) {
      self.names = names
      self.isRequired = isRequired
    }
  }

  public var fields: [OptionField]
  public var alternatives: [Alternatives]

  public init(_ fields: [OptionField] = [], alternatives: [Alternatives] = []) {
    self.fields = fields
    self.alternatives = alternatives
  }

  /// No keys at all.
  public static let empty = OptionSchema()

  public subscript(name: String) -> OptionField? { fields.first { $0.name == name } }

  /// A mapping of this schema that is not written stands for its defaults.
  var isSatisfiedByNothing: Bool {
    alternatives.allSatisfy { !$0.isRequired }
      && fields.allSatisfy { if case .required = $0.presence { false } else { true } }
  }
}

extension OptionSchema {
  /// Checks what is written against the fields; reports everything that is wrong, not only the first.
  ///
  /// - Parameters:
  ///   - value: nil or null if nothing is written; then `location` is where the defaults come from.
  ///   - path: where this mapping is in the configuration, as problems name it.
  ///   - location: of what a missing key is missing from.
  /// - Returns: what is right, completed by the defaults. If an error was reported, keys may be absent that
  ///   would otherwise be there.
  public func check(
    _ value: LocatedValue?, path: String, location: SourceLocation = SourceLocation(file: "options"),
    problems: inout [ConfigurationProblem]
  ) -> Options {
    var check = OptionCheck()
    defer { problems += check.problems }
    guard let value else { return check.object([], self, path: path, location: location) }
    guard case .object(let options)? = check.value(value, .object(self), path: path) else {
      return Options(path: path, location: value.location)
    }
    return options
  }
}
