import DeviceModel
import Testing

@testable import Bridge

struct TopicsTests {
  private let topics = Topics(base: "home/boards", bridge: "attic")

  @Test(arguments: [
    ("home/boards/plug/set", Topics.Destination.set("plug")),
    ("home/boards/plug/get", .get("plug")),
    ("home/boards/plug/tx", .transmit("plug")),
    ("home/boards/plug/power/set", .property("plug", "power", .set)),
    ("home/boards/plug/schedule/put", .property("plug", "schedule", .put)),
    ("home/boards/plug/schedule/delete", .property("plug", "schedule", .delete)),
    ("home/boards/garage/presence/anna/set", .property("garage", "presence/anna", .set)),
    ("home/boards/bridge/attic/state", .ownState),
    ("home/boards/bridge/attic/request/health", .request("health")),
    ("home/boards/bridge/attic/request/device/refresh", .request("device/refresh")),
    ("home/boards/bridge/cellar/devices", .devices(bridge: "cellar")),
  ])
  func `a topic of ours has its meaning`(topic: String, meaning: Topics.Destination) {
    #expect(topics.destination(of: topic) == meaning)
  }

  @Test(arguments: [
    "home/boards", "home/boards/plug", "home/boards/plug/power", "home/boardsX/plug/set", "other/plug/set",
    "home/boards/bridge/cellar/state", "home/boards/bridge/cellar/request/health",
    "home/boards/plug/power/toggle",
    "home/boards/bridge/attic/request", "", "home/boards/",
  ])
  func `any other topic has none`(topic: String) {
    #expect(topics.destination(of: topic) == nil)
  }

  @Test func `commands are subscribed to for the verbs that the description has`() throws {
    let id = try #require(Slug(of: "Plug").flatMap(DeviceID.init))
    let description = DeviceDescription(properties: [
      Property("power", name: nil, .switch(), verbs: [.set]),
      Property("schedule", name: "Schedule", .structured, verbs: [.set, .put, .delete]),
      Property("presence/anna", name: "Anna", .command, verbs: [.set]),
    ])
    #expect(
      topics.commandFilters(id, description) == [
        "home/boards/plug/set", "home/boards/plug/get", "home/boards/plug/+/+/set",
        "home/boards/plug/+/delete",
        "home/boards/plug/+/put", "home/boards/plug/+/set",
      ])
  }

  @Test func `raw bytes are subscribed to for a kind that takes them`() throws {
    let id = try #require(Slug(of: "Port").flatMap(DeviceID.init))
    let description = DeviceDescription(properties: [])
    #expect(topics.commandFilters(id, description, isRaw: true).contains("home/boards/port/tx"))
    #expect(!topics.commandFilters(id, description).contains("home/boards/port/tx"))
  }
}
