import DeviceModel
import Testing

@testable import Adapters

/// Persons may be called as they like: their slugs stand behind a word of their own in keys and topics.
struct `Names of persons` {
  /// Words of topics and of this kind.
  static let reserved = [
    "door", "pin", "info", "light", "set", "get", "availability", "event", "rx", "tx", "bridge", "presence",
    "armed",
    "home", "beacon", "in", "last_opened", "last_opened_by", "closing_interval", "simulate_exit", "put",
    "delete",
    "state", "log", "health", "devices", "master",
  ]

  private static func settings(_ names: [String]) throws -> GarageSettings {
    let persons = names.enumerated().map { index, name -> Value in
      ["name": .text(name), "pin": .text("1000\(index % 10)")]
    }
    var problems: [ConfigurationProblem] = []
    let options: Value = [
      "persons": .list(persons), "open_as": .text(names[0]),
      "key": .text(NewerTalk.key),
    ]
    let checked = GarageSettings.schema.check(LocatedValue(options), path: "options", problems: &problems)
    let settings = GarageSettings(checked, &problems)
    #expect(problems.isEmpty, "\(problems)")
    return try #require(settings)
  }

  @Test(arguments: stride(from: 0, to: reserved.count, by: 9).map { Array(reserved.dropFirst($0).prefix(9)) })
  func `that are words of topics collide with nothing`(names: [String]) throws {
    let settings = try Self.settings(names)
    let keys = GarageProperty.description(of: settings).properties.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(keys.count == 5 + 5 * names.count)
    let own = Set(
      ["door", "last_opened", "last_opened_by", "closing_interval", "light"].map { PropertyKey($0) })
    #expect(Set(keys.filter { own.contains($0) }).count == 5, "each of the garage's own once")
    let words = ["set", "get", "availability", "event", "rx", "tx"].map { PropertyKey($0) }
    #expect(words.allSatisfy { word in !keys.contains { $0 == word } })
  }

  @Test(arguments: ["door", "set", "light"])
  func `that are words of topics are obeyed as persons`(name: String) throws {
    var talk = Conversation(GarageDoor(try Self.settings([name])))
    talk.feed(.remembered(.unknown))
    talk.feed(.commands(CommandBatch(number: 1, [Command(GarageProperty.presence(name), "leave")])))
    #expect(talk.state[GarageProperty.armed(name)] == true)
    #expect(talk.state["door"] == .unknown)
  }

  @Test func `with one slug are refused, and say whose it is`() throws {
    var problems: [ConfigurationProblem] = []
    let options: Value = ["persons": [["name": "Ben", "pin": "11111"], ["name": "bEN!", "pin": "22222"]]]
    let checked = GarageSettings.schema.check(LocatedValue(options), path: "options", problems: &problems)
    #expect(GarageSettings(checked, &problems) == nil)
    #expect(problems.map { "\($0)" }.contains { $0.contains("'ben', as 'Ben' is") })
  }
}
