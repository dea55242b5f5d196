import DeviceModel
import Testing

@testable import Adapters
@testable import Configuration

/// A profile as its owner writes it.
struct ProfileText {
  var profile: Profile?
  var problems: [ConfigurationProblem]
  private var options: Options?

  init(_ text: String) {
    let (value, found) = YAMLReader.read(
      Array(text.utf8), file: "board.yaml", secrets: SecretSource(environment: { _ in nil }))
    problems = found
    let options = Profile.schema.check(value, path: "", problems: &problems)
    self.options = options
    if !problems.contains(where: { $0.severity == .error }) {
      profile = Profile(options, problems: &problems)
    }
  }

  /// Of a profile without mistakes.
  static func profile(_ text: String) throws -> Profile {
    let made = ProfileText(text)
    #expect(made.problems == [], "\(made.problems)")
    return try #require(made.profile)
  }

  static func options(_ text: String) -> Options? { ProfileText(text).options }

  /// In talk, and connected.
  static func talk(_ text: String) throws -> Conversation {
    var talk = Conversation(try profile(text))
    _ = talk.connect()
    return talk
  }

  /// Every problem as a line.
  static func problems(_ text: String) -> [String] { ProfileText(text).problems.map(\.description) }
}

extension [Output] {
  var sentText: [String] { sent.map { String(decoding: $0, as: UTF8.self) } }
}
