/// What was written in a configuration file and where, before anyone has decided which type it has.
///
/// A scalar keeps its text: `0123`, `0x10`, `11:22:33:44:55:66` and `yes` are what stands there, until a
/// schema makes a number or a boolean of them. Two values are equal if they say the same, wherever and in
/// whichever quotes they stand.
public struct LocatedValue: Sendable, Hashable {
  public enum Content: Sendable, Hashable {
    /// Nothing after the key, `~` or `null`.
    case null
    case scalar(Scalar)
    case sequence([LocatedValue])
    /// In the order of the file; the keys are unique.
    case mapping([Entry])
  }

  public var content: Content
  public var location: SourceLocation

  public init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  public static func == (left: LocatedValue, right: LocatedValue) -> Bool { left.content == right.content }

  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  /// The value of `key`, if this is a mapping that has it.
  public subscript(key: String) -> LocatedValue? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// A scalar that came from a file or the environment.
  public var isSecret: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.isSecret
  }

  public struct Entry: Sendable, Hashable {
    public var key: String
    public var keyLocation: SourceLocation
    public var value: LocatedValue

    public init(key: String, at keyLocation: SourceLocation, value: LocatedValue) {
      self.key = key
      self.keyLocation = keyLocation
      self.value = value
    }

    public static func == (left: Entry, right: Entry) -> Bool {
      left.key == right.key && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(key)
      hasher.combine(value)
    }
  }

  public struct Scalar: Sendable, Hashable {
    public enum Style: Sendable, Hashable { case plain, quoted }

    public var text: String
    public var style: Style
    /// It came from a file or the environment (`!file`, `!env`) and must not be shown.
    public var isSecret: Bool

    public init(_ text: String, style: Style = .plain, isSecret: Bool = false) {
      self.text = text
      self.style = style
      self.isSecret = isSecret
    }

    public static func == (left: Scalar, right: Scalar) -> Bool {
      left.text == right.text && left.isSecret == right.isSecret
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}

extension LocatedValue.Scalar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { isSecret ? "(secret)" : text }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: isSecret ? [] : [("text", text)]) }
}

extension LocatedValue {
  /// A value that was not read from a file of configuration: of a request, or of a test.
  public init(_ value: Value, at location: SourceLocation = SourceLocation(file: "options")) {
    let content: Content =
      switch value {
      case .unknown: .null
      case .boolean(let boolean): .scalar(Scalar(boolean ? "true" : "false"))
      case .integer(let integer): .scalar(Scalar(String(integer)))
      case .number(let number): .scalar(Scalar(number.description))
      case .text(let text): .scalar(Scalar(text, style: .quoted))
      case .list(let elements): .sequence(elements.map { LocatedValue($0, at: location) })
      case .object(let members):
        .mapping(
          members.pairs.map {
            Entry(key: $0.name, at: location, value: LocatedValue($0.value, at: location))
          })
      }
    self.init(content, at: location)
  }
}
