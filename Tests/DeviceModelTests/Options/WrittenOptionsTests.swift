import DeviceModel
import Testing

struct WrittenOptionsTests {
  private static let schema = OptionSchema([
    .text("place", maximum: 20, summary: ""), .integer("slots", 1...9, default: 3, summary: ""),
    .secret("pin", 5...5, summary: ""),
    OptionField("pause", .duration(.seconds(1)...(.seconds(99))), summary: ""),
    OptionField(
      "persons", .list(.object(OptionSchema([.secret("pin", 5...5, summary: "")])), count: 0...9), summary: ""
    ),
    OptionField("free", .anything, summary: ""),
  ])

  private func options(_ value: LocatedValue) throws -> Options {
    var problems: [ConfigurationProblem] = []
    let options = Self.schema.check(value, path: "options", problems: &problems)
    try #require(problems == [])
    return options
  }

  @Test func `what was written is shown without secrets and defaults, and read back`() throws {
    let written: Value = [
      "place": "0123", "pin": "12345", "pause": "90s", "persons": [["pin": "54321"]],
      "free": ["a": ["1", nil]],
    ]
    let options = try options(LocatedValue(written: written, file: "test"))
    let shown: Value = [
      "free": ["a": ["1", nil]], "pause": "90s", "persons": [["pin": "*****"]], "pin": "*****",
      "place": "0123",
    ]
    #expect(options.written == shown)
    #expect(options.secrets.sorted() == ["12345", "54321"])
    let again = try self.options(LocatedValue(written: options.written, file: "test"))
    #expect(again.written == shown)
    #expect(
      again.duration("pause") == .seconds(90) && again.integer("slots") == 3 && again.text("place") == "0123")
  }

  @Test func `what came from a file or the environment is hidden, whatever it is`() throws {
    let location = SourceLocation(file: "test")
    let place = LocatedValue(.scalar(.init("attic", isSecret: true)), at: location)
    let free = LocatedValue(
      .sequence([LocatedValue(.scalar(.init("word", isSecret: true)), at: location)]), at: location)
    let options = try options(
      LocatedValue(
        .mapping([
          .init(key: "place", at: location, value: place), .init(key: "free", at: location, value: free),
        ]), at: location))
    #expect(options.written == ["free": ["****"], "place": "********"])
    #expect(options.secrets.sorted() == ["attic", "word"])
  }
}
