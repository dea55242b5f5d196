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
      ["persons": [["name": "Anna"]]], ["persons": [["pin": "27182"]]],
      ["persons": [["name": "Anna", "pin": "2718"]]], ["persons": [["name": "Anna", "pin": "271828"]]],
      ["persons": [["name": "Anna", "pin": "2718é"]]], ["persons": [["name": "✺", "pin": "27182"]]],
      ["persons": [["name": "Anna", "pin": "27182"], ["name": "anna", "pin": "31415"]]],
      ["persons": [["name": "Anna", "pin": "27182", "owntracks": "anna"]]],
      ["persons": [["name": "Anna", "pin": "27182", "owntracks": "anna/#"]]],
      ["persons": [["name": "Anna", "pin": "27182", "car": ["major": 1]]]],
      ["persons": [["name": "Anna", "pin": "27182"]], "open_as": "Ana"],
      ["persons": [["name": "Anna", "pin": "27182"]], "master_pin": "27182"], ["master_pin": "1"],
      ["closing_interval": "1s"], ["travel_time": "0s"], ["home_region": "Garage"], ["beacon": ["uuid": "x"]],
      ["pin": "27182"],
    ] as [Value])
  func `what is wrong is said, and no PIN with it`(options: Value) {
    let problems = Self.problems(options)
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.allSatisfy { !"\($0)".contains("2718") })
  }

  @Test(arguments: ["00000", "12345", "97531", "edcba"])
  func `a PIN that is tried first is taken with a warning, for its owner has to get in to change it`(
    pin: String
  ) throws {
    for options: Value in [["master_pin": .text(pin)], ["persons": [["name": "Anna", "pin": .text(pin)]]]] {
      var problems: [ConfigurationProblem] = []
      let checked = GarageSettings.schema.check(
        LocatedValue(options), path: "options", problems: &problems)
      #expect(GarageSettings(checked, &problems) != nil)
      #expect(problems.map(\.severity) == [.warning])
      #expect(problems.allSatisfy { !"\($0)".contains(pin) })
    }
  }

  @Test(
    arguments: [
      (0..<32).map { UInt8($0) }, (0..<32).map { UInt8(255 - $0) }, (0..<32).map { UInt8(7 * $0 + 3) },
      Array(repeating: 0, count: 32), Array(repeating: 0xA5, count: 32),
      Array(repeating: 0, count: 31) + [1], Array("open sesame open sesame open ses".utf8),
      Array(repeating: [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF], count: 4).flatMap(\.self),
    ] as [[UInt8]])
  func `a key of an example, or one that is counted or repeated, is refused and not shown`(key: [UInt8]) {
    for text in [key.hexadecimal, key.hexadecimal.uppercased()] {
      var problems: [ConfigurationProblem] = []
      let options = GarageSettings.schema.check(
        LocatedValue(["key": .text(text)]), path: "options", problems: &problems)
      #expect(GarageSettings(options, &problems) == nil)
      #expect(problems.map(\.severity) == [.error])
      #expect(problems.allSatisfy { !"\($0)".contains(text) && "\($0)".contains("openssl rand -hex 32") })
    }
  }

  @Test func `a key that was made by chance is taken`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let key = GarageKey((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }.hexadecimal)
      #expect(key?.canBeGuessed == false)
    }
  }

  @Test func `topics are the phones'`() throws {
    let talk = try GarageTalk([
      "persons": [
        ["name": "Anna", "pin": "27182", "owntracks": "anna/phone"],
        ["name": "Ben", "pin": "31415", "owntracks": "family/tracks/ben/phone"],
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
    for key: String? in [nil, NewerTalk.key] {
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
