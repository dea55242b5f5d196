import DeviceModel

/// Where `!file` and `!env` look.
struct SecretSource {
  /// Of one secret, in bytes.
  static let maximumSize = 64 * 1024

  var environment: (String) -> String?

  struct Secret {
    var text: String
    var warnings: [ConfigurationProblem] = []
  }

  /// The text of a file without the line end after it. A relative path is relative to the configuration file.
  func contents(
    ofFile path: String, at location: SourceLocation
  ) throws(ConfigurationProblem) -> Secret {
    guard !path.isEmpty else {
      throw ConfigurationProblem("'!file' names no file", at: location, expectation: "a path")
    }
    let resolved = location.resolve(path: path)
    let shown = ConfigurationProblem.excerpt(of: resolved, limit: 200)
    let file: FileContents
    do {
      file = try FileContents(path: resolved, maximumSize: Self.maximumSize)
    } catch {
      throw ConfigurationProblem(
        "'\(shown)' \(error)", at: location, expectation: "a file with the secret")
    }
    var bytes = file.bytes[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty else {
      throw ConfigurationProblem("'\(shown)' is empty", at: location, expectation: "a secret in it")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationProblem("'\(shown)' is not UTF-8", at: location)
    }
    guard file.isWorldReadable else { return Secret(text: text) }
    let warning = ConfigurationProblem(
      "'\(shown)' can be read by every user of this machine", at: location,
      expectation: "a secret only for its owner (chmod o-rwx)", severity: .warning)
    return Secret(text: text, warnings: [warning])
  }

  /// The value of a variable of the environment.
  func variable(_ name: String, at location: SourceLocation) throws(ConfigurationProblem) -> Secret {
    guard let text = environment(name) else {
      throw ConfigurationProblem(
        "the variable '\(ConfigurationProblem.excerpt(of: name))' is not in the environment", at: location)
    }
    guard !text.isEmpty else {
      throw ConfigurationProblem(
        "the variable '\(ConfigurationProblem.excerpt(of: name))' is empty", at: location)
    }
    return Secret(text: text)
  }
}
