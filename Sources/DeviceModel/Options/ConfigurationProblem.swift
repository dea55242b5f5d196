/// One thing that is wrong with a configuration, in words its owner can act on.
///
/// It never quotes a secret.
public struct ConfigurationProblem: Error, Hashable, Sendable {
  public enum Severity: Hashable, Sendable { case error, warning }

  public var severity: Severity
  public var location: SourceLocation
  /// Where in the configuration: `devices[1].link.tcp`; empty for the whole.
  public var path: String
  /// What is wrong.
  public var message: String
  /// What would be right: `an integer from 1 to 255`.
  public var expectation: String?
  /// The nearest valid text.
  public var suggestion: String?

  public init(
    _ message: String, at location: SourceLocation, path: String = "", expectation: String? = nil,
    suggestion: String? = nil, severity: Severity = .error
  ) {
    self.severity = severity
    self.location = location
    self.path = path
    self.message = message
    self.expectation = expectation
    self.suggestion = suggestion
  }
}

extension ConfigurationProblem {
  /// Of what is written, fit for a message: at most `limit` characters, none of which moves a terminal's cursor.
  public static func excerpt(of text: String, limit: Int = 40) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(limit).map { $0.isFormatting ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(shown)) + (scalars.count > limit ? "…" : "")
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// `config.yaml:12:5: devices[1].link.tpc: unknown key 'tpc'; expected one of tcp, udp; did you mean 'tcp'?`
  public var description: String {
    "\(location): \(severity == .warning ? "warning: " : "")\(words)"
  }

  /// Without the file, and for a log that marks warnings itself.
  public var words: String {
    var text = path.isEmpty ? message : "\(path): \(message)"
    if let expectation { text += "; expected \(expectation)" }
    if let suggestion { text += "; did you mean '\(suggestion)'?" }
    return text
  }
}
