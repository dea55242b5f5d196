import DeviceModel
import Testing

@testable import Bridge

struct CommandReaderTests {
  private static let description = DeviceDescription(properties: [
    Property("power", name: nil, .switch(), verbs: [.set]),
    Property("mode", name: "Mode", .select(["automatic", "manual"]), verbs: [.set]),
    Property("level", name: "Level", .number(.init(0...100)), verbs: [.set]),
    Property("label", name: "Label", .text(maximumLength: 5), verbs: [.set]),
    Property("schedule", name: "Schedule", .structured, verbs: [.set, .put, .delete]),
    Property("latch", name: "Latch", .lock, verbs: [.set]),
    Property("go", name: "Go", .button(), verbs: [.set]),
    Property("temperature", name: "Temperature", .sensor()),
    Property("place", name: "Place", .deviceTracker(sourceType: "gps"), verbs: [.set]),
  ])

  private func reader(power: Value = .unknown) throws -> CommandReader {
    let id = try #require(Slug(of: "plug").flatMap(DeviceID.init))
    return CommandReader(device: id, description: Self.description) { $0 == "power" ? power : .unknown }
  }

  @Test(arguments: [
    ("power", "ON", Value.boolean(true)), ("power", "off", .boolean(false)), ("power", " 1 ", .boolean(true)),
    ("power", "false", .boolean(false)), ("mode", "MANUAL", "manual"), ("level", "12.5", .number(12.5)),
    ("level", "1e1", .number(10)),
    ("label", "héllo", "héllo"), ("label", "", ""),
    ("latch", "unlock", "UNLOCK"),
    ("go", "press", .unknown),
    ("place", " {\"a\":1}", .object(["a": 1])), ("place", " home ", "home"),
    (
      "schedule", "[{\"a\":1}]", Value.list([.object(["a": 1])])
    ),
  ])
  func `a bare payload becomes the property's value`(property: String, payload: String, value: Value) throws {
    let commands = try reader().property(property, .set, Array(payload.utf8))
    #expect(commands == [Command(PropertyKey(stringLiteral: property), value)])
  }

  @Test func `what takes no commands says so`() throws {
    let id = try #require(Slug(of: "tag").flatMap(DeviceID.init))
    let tag = CommandReader(
      device: id, description: DeviceDescription(properties: [Property("rssi", name: "Strength", .sensor())])
    ) { _ in .unknown }
    let refusal = #expect(throws: CommandReader.Refusal.self) { try tag.property("power", .set, []) }
    #expect(refusal?.rejection.explanation == "tag has no property 'power'; it takes no commands")
  }

  @Test func `what is no JSON is said to be none once`() throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) { try reader().set(Array("{".utf8)) }
    #expect(refusal?.rejection.explanation == "not JSON at line 1, column 1: it ends too early")
  }

  @Test(arguments: [
    ("power", "maybe", Rejection.Reason.invalid), ("power", "", .invalid), ("power", "TOGGLE", .notNow),
    ("mode", "auto", .invalid), ("level", "101", .outOfRange), ("level", "-0.5", .outOfRange),
    ("level", "nan", .invalid), ("level", "inf", .invalid), ("level", "12,5", .invalid),
    ("level", "0x10", .invalid), ("level", "5\0", .invalid), ("level", "5\0 no, 50", .invalid),
    ("level", "1e400", .invalid), ("level", "５", .invalid), ("level", "1_0", .invalid),
    ("label", "toolong", .invalid), ("temperature", "20", .readOnly), ("powr", "ON", .unknownProperty),
    ("go", "hold", .invalid), ("schedule", "{", .invalid), ("place", "{\"a\"", .invalid),
    ("latch", "OPEN", .invalid),
  ])
  func `a bare payload that the property does not take is refused`(
    property: String, payload: String, reason: Rejection.Reason
  ) throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) {
      try reader().property(property, .set, Array(payload.utf8))
    }
    #expect(refusal?.rejection.reason == reason)
    #expect(refusal?.property == property)
  }

  @Test func `toggling turns the present state round`() throws {
    #expect(try reader(power: "ON").property("power", .set, Array("toggle".utf8))[0].value == .boolean(false))
    #expect(try reader(power: "OFF").property("power", .set, Array("TOGGLE".utf8))[0].value == .boolean(true))
  }

  @Test func `an object is taken in the order of the description`() throws {
    let commands = try reader().set(Array(#"{"level":5,"mode":"manual","power":true}"#.utf8))
    #expect(commands.map(\.property) == ["power", "mode", "level"])
    #expect(commands.map(\.value) == [.boolean(true), "manual", .number(5)])
  }

  @Test(arguments: [
    (#"{"power":"ON","level":101}"#, "level", Rejection.Reason.outOfRange),
    (#"{"power":"ON","colour":"red"}"#, "colour", .unknownProperty),
    (#"{"power":2}"#, "power", .invalid),
    (#"{"temperature":1,"power":"ON"}"#, "temperature", .readOnly),
    (#"{"level":null}"#, "level", .invalid),
  ])
  func `an object with one wrong member is refused whole`(
    payload: String, property: String, reason: Rejection.Reason
  ) throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) { try reader().set(Array(payload.utf8)) }
    #expect(refusal?.property == property)
    #expect(refusal?.rejection.reason == reason)
  }

  @Test(arguments: ["[]", "{}", "ON", "", "{\"power\":1,\"power\":0}", "{\"power\":\"ON\"", "\u{FEFF}{}"])
  func `what is no object of properties is refused`(payload: String) throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) { try reader().set(Array(payload.utf8)) }
    #expect(refusal?.rejection.reason == .invalid)
  }

  @Test func `a payload that is not UTF-8 or too large is refused`() throws {
    let latin1 = #expect(throws: CommandReader.Refusal.self) { try reader().property("label", .set, [0xE9]) }
    #expect(latin1?.rejection.reason == .invalid)
    let large = [UInt8](repeating: 0x20, count: CommandReader.payloadLimit + 1)
    let tooLarge = #expect(throws: CommandReader.Refusal.self) { try reader().set(large) }
    #expect(tooLarge?.rejection.reason == .tooLarge)
  }

  @Test func `a misspelt property is answered with the nearest one`() throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) {
      try reader().property("pover", .set, Array("ON".utf8))
    }
    #expect(refusal?.rejection.explanation.contains("did you mean 'power'?") == true)
  }

  @Test func `a verb that the property does not have is refused`() throws {
    let refusal = #expect(throws: CommandReader.Refusal.self) {
      try reader().property("power", .put, Array("ON".utf8))
    }
    #expect(refusal?.rejection.reason == .unsupported)
  }
}
