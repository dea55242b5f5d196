import DeviceModel
import Testing

@testable import Adapters

struct `The options of a garage door` {
  private static func problems(_ options: Value) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    let checked = GarageDoor.kind.options.check(LocatedValue(options), path: "options", problems: &problems)
    _ = GarageDoor.kind.makeAdapter(checked, &problems)
    return problems
  }

  private static func scalar(_ text: String) -> LocatedValue {
    LocatedValue(.scalar(.init(text)), at: SourceLocation(file: "options"))
  }

  @Test func `PINs keep their text as it is written`() throws {
    for pin in ["01234", "0x1F7", "1e400", "12:34", "true ", "~!@#$"] {
      var problems: [ConfigurationProblem] = []
      let location = SourceLocation(file: "options")
      let person = LocatedValue(
        .mapping([
          .init(key: "name", at: location, value: Self.scalar("Anna")),
          .init(key: "pin", at: location, value: Self.scalar(pin)),
        ]), at: location)
      let options = LocatedValue(
        .mapping([.init(key: "persons", at: location, value: LocatedValue(.sequence([person]), at: location))]
        ),
        at: location)
      let checked = GarageSettings.schema.check(options, path: "options", problems: &problems)
      let settings = try #require(GarageSettings(checked, &problems))
      #expect(settings.persons.map(\.pin) == [GaragePIN(pin)], "\(pin)")
    }
  }

  @Test(
    arguments: [
      ["persons": [["name": "Anna"]]], ["persons": [["pin": "12345"]]],
      ["persons": [["name": "Anna", "pin": "1234"]]], ["persons": [["name": "Anna", "pin": "123456"]]],
      ["persons": [["name": "Anna", "pin": "1234é"]]], ["persons": [["name": "✺", "pin": "12345"]]],
      ["persons": [["name": "Anna", "pin": "12345"], ["name": "anna", "pin": "54321"]]],
      ["persons": [["name": "Anna", "pin": "12345", "owntracks": "anna"]]],
      ["persons": [["name": "Anna", "pin": "12345", "owntracks": "anna/#"]]],
      ["persons": [["name": "Anna", "pin": "12345", "car": ["major": 1]]]],
      ["persons": [["name": "Anna", "pin": "12345"]], "open_as": "Ana"],
      ["persons": [["name": "Anna", "pin": "12345"]], "master_pin": "12345"], ["master_pin": "1"],
      ["closing_interval": "1s"], ["travel_time": "0s"], ["home_region": "Garage"], ["beacon": ["uuid": "x"]],
      ["pin": "12345"],
    ] as [Value])
  func `what is wrong is said, and no PIN with it`(options: Value) {
    let problems = Self.problems(options)
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.allSatisfy { !"\($0)".contains("1234") })
  }

  @Test func `topics are the phones'`() throws {
    let talk = try GarageTalk([
      "persons": [
        ["name": "Anna", "pin": "12345", "owntracks": "anna/phone"],
        ["name": "Ben", "pin": "54321", "owntracks": "family/tracks/ben/phone"],
      ]
    ])
    let filters = talk.talk.adapter.followedTopics.map(\.filter)
    #expect(filters.contains("owntracks/anna/phone") && filters.contains("owntracks/anna/phone/event"))
    #expect(filters.contains("family/tracks/ben/phone/waypoint"))
    #expect(filters.count == 8)
  }

  @Test func `whatever it is given, its rules hold`() {
    var invariants = AdapterInvariants()
    var problems: [ConfigurationProblem] = []
    for key: String? in [nil, String(repeating: "ab", count: 32)] {
      guard case .object(var members) = GarageTalk.options else { return }
      members["key"] = key.map { .text($0) }
      let options = GarageSettings.schema.check(
        LocatedValue(.object(members)), path: "options", problems: &problems)
      guard let settings = GarageSettings(options, &problems) else {
        Issue.record("\(problems)")
        return
      }
      let garage = GarageDoor(settings)
      let phrases =
        ["~h1|fa8d5281||48|0|Garage", "48151O=1"].map { Array($0.utf8) } + [[0xFF], [1, 49, 49, 49, 49, 49]]
      let inputs = RandomInputs(
        properties: garage.description.properties, phrases: phrases,
        values: [
          "OPEN", "CLOSE", "enter", "leave", true, .number(30), ["region": "home", "event": "leave"],
          .unknown,
        ])
      for _ in 0..<30 { invariants.check(garage, with: inputs, rounds: 60) }
    }
    #expect(invariants.handled > 1000)
  }
}
