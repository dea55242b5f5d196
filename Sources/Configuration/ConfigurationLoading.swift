public import DeviceModel
import Glibc

extension Configuration {
  /// Of a configuration file, in bytes.
  public static let maximumSize = 1024 * 1024
  /// More problems than anyone reads at once are counted only.
  public static let maximumProblems = 100

  /// Reads and checks a file.
  ///
  /// - Parameters:
  ///   - path: also the file's name in the problems.
  ///   - kinds: with whose options, links and sessions the devices are checked.
  ///   - environment: where `!env` looks.
  /// - Returns: the configuration, nil if one of the problems is an error; and all problems in the order of
  ///   the file.
  public static func load(
    path: String, kinds: [Kind], environment: (String) -> String? = processEnvironment
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    let file: FileContents
    do throws(FileContents.Failure) {
      file = try FileContents(path: path, maximumSize: maximumSize)
    } catch {
      return (nil, [ConfigurationProblem("\(error)", at: SourceLocation(file: path))])
    }
    return read(
      file.bytes, file: path, kinds: kinds, environment: environment, isWorldReadable: file.isWorldReadable)
  }

  /// Checks a text as ``load(path:kinds:environment:)`` checks a file.
  ///
  /// - Parameters:
  ///   - file: its name, to which relative paths are relative.
  ///   - isWorldReadable: then secrets in it are worth a warning.
  public static func read(
    _ text: [UInt8], file: String, kinds: [Kind], environment: (String) -> String? = processEnvironment,
    isWorldReadable: Bool = false
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    withoutActuallyEscaping(environment) { environment in
      let secrets = SecretSource(environment: environment)
      var (value, problems) = YAMLReader.read(text, file: file, secrets: secrets)
      var configuration: Configuration?
      if let written = value, case .null = written.content { value = nil }
      if let value {
        let unreadable = Set(problems.map(\.location))
        var check = ConfigurationCheck(kinds: kinds, documents: DocumentReader(secrets: secrets))
        configuration = check.configuration(value)
        // Where a secret could not be had there is no value; that it is missing need not be said twice.
        problems += check.problems.filter { !unreadable.contains($0.location) }
        if isWorldReadable { problems += ClearSecrets.warnings(about: value) }
      } else if problems.isEmpty {
        problems.append(
          ConfigurationProblem(
            "nothing is written", at: SourceLocation(file: file),
            expectation: OptionType.object(schema).expectation))
      }
      if problems.contains(where: { $0.severity == .error }) { configuration = nil }
      return (configuration, inOrder(problems, file: file))
    }
  }

  /// A variable of this process.
  public static func processEnvironment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static func inOrder(_ problems: [ConfigurationProblem], file: String) -> [ConfigurationProblem] {
    // A value that stands behind an alias is checked in each of its places.
    var seen: Set<ConfigurationProblem> = []
    let sorted = problems.filter { seen.insert($0).inserted }.enumerated()
      .sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }
      .map(\.element)
    guard sorted.count > maximumProblems else { return sorted }
    let rest = sorted.count - maximumProblems
    return sorted.prefix(maximumProblems) + [
      ConfigurationProblem("\(rest) problems more", at: SourceLocation(file: file))
    ]
  }
}
