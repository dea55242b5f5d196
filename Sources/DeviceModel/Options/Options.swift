/// The checked keys of one mapping in the configuration, by their names.
///
/// An accessor gives nil if the key is neither written nor has a default, or if its type is another one. Two
/// are equal if they mean the same, wherever they are written.
public struct Options: Sendable, Hashable {
  struct Element: Sendable {
    var value: OptionValue
    /// nil for a default.
    var location: SourceLocation?
    /// It came from `!file` or `!env`.
    var isSecret = false
  }

  /// Where this mapping is in the configuration: `devices[1].options`.
  public let path: String
  public let location: SourceLocation
  var elements: [String: Element] = [:]
  /// Keys whose values are not valid.
  var refused: Set<String> = []

  init(path: String, location: SourceLocation) {
    self.path = path
    self.location = location
  }

  public static func == (left: Options, right: Options) -> Bool {
    left.elements.mapValues(\.value) == right.elements.mapValues(\.value)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(elements.mapValues(\.value)) }

  public subscript(name: String) -> OptionValue? { elements[name]?.value }

  /// False also for a default.
  public func isWritten(_ name: String) -> Bool { elements[name]?.location != nil }

  /// It is written and not valid, which is among the problems.
  public func isRefused(_ name: String) -> Bool { refused.contains(name) }

  /// It came from `!file` or `!env`, whatever its type, and must not be shown.
  public func isSecret(_ name: String) -> Bool { elements[name]?.isSecret ?? false }

  /// Of what is written for the key, else of the mapping.
  public func location(of name: String) -> SourceLocation { elements[name]?.location ?? location }

  /// The text of a key for a message: in quotes, shortened, or hidden if it came from `!file` or `!env`.
  public func quoted(_ name: String, limit: Int = 40) -> String {
    guard let element = elements[name], !element.isSecret, case .text(let text) = element.value,
      !text.utf8.contains(UInt8(ascii: "@"))
    else { return "the value" }
    return "'\(ConfigurationProblem.excerpt(of: text, limit: limit))'"
  }

  /// Where a key of this mapping is, or would be: `devices[1].options`.
  public func path(of name: String) -> String { OptionCheck.path(path, name) }

  /// For what a schema cannot say: a rule between several keys, say.
  public func problem(
    _ message: String, at name: String, expectation: String? = nil, suggestion: String? = nil,
    severity: ConfigurationProblem.Severity = .error
  ) -> ConfigurationProblem {
    ConfigurationProblem(
      message, at: location(of: name), path: path(of: name), expectation: expectation,
      suggestion: suggestion, severity: severity)
  }
}

extension Options {
  /// Also the word of a choice, and a path as seen from the working directory.
  public func text(_ name: String) -> String? {
    guard case .text(let text)? = self[name] else { return nil }
    return text
  }

  public func secret(_ name: String) -> Secret? {
    guard case .secret(let secret)? = self[name] else { return nil }
    return secret
  }

  public func boolean(_ name: String) -> Bool? {
    guard case .boolean(let boolean)? = self[name] else { return nil }
    return boolean
  }

  public func integer(_ name: String) -> Int? {
    guard case .integer(let integer)? = self[name] else { return nil }
    return integer
  }

  public func number(_ name: String) -> Double? {
    guard case .number(let number)? = self[name] else { return nil }
    return number
  }

  public func duration(_ name: String) -> Duration? {
    guard case .duration(let duration)? = self[name] else { return nil }
    return duration
  }

  public func hostPort(_ name: String) -> HostPort? {
    guard case .hostPort(let hostPort)? = self[name] else { return nil }
    return hostPort
  }

  public func bluetoothAddress(_ name: String) -> BluetoothAddress? {
    guard case .bluetoothAddress(let address)? = self[name] else { return nil }
    return address
  }

  public func list(_ name: String) -> [OptionValue]? {
    guard case .list(let list)? = self[name] else { return nil }
    return list
  }

  /// The texts of a list; empty if there is none.
  public func texts(_ name: String) -> [String] {
    list(name)?.compactMap { if case .text(let text) = $0 { text } else { nil } } ?? []
  }

  /// The mappings of a list; empty if there is none.
  public func objects(_ name: String) -> [Options] {
    list(name)?.compactMap { if case .object(let object) = $0 { object } else { nil } } ?? []
  }

  public func object(_ name: String) -> Options? {
    guard case .object(let object)? = self[name] else { return nil }
    return object
  }

  /// In the order of the file.
  public func map(_ name: String) -> [OptionValue.NamedValue]? {
    guard case .map(let map)? = self[name] else { return nil }
    return map
  }

  public func anything(_ name: String) -> LocatedValue? {
    guard case .anything(let value)? = self[name] else { return nil }
    return value
  }
}
