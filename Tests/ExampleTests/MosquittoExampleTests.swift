import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The broker of `examples/mosquitto`: who may do what, and who may not.
struct MosquittoExampleTests {
  init() { _ = LoopThread.started }

  /// What a user publishes, and whether it arrives at one who may read everything.
  private static let rights: [(user: String, topic: String, isAllowed: Bool)] = [
    ("bridge", "sketch2mqtt/garden_plug", true),
    ("bridge", "sketch2mqtt/bridge/main/state", true),
    ("bridge", "homeassistant/device/sketch2mqtt_main_garden_plug/config", true),
    ("bridge", "homeassistant/switch/sketch2mqtt_main_garden_plug/power/config", true),
    ("bridge", "homeassistant/status", false),
    ("bridge", "alerts/pet_door", false),
    ("homeassistant", "homeassistant/status", true),
    ("homeassistant", "homeassistant/device/sketch2mqtt_main_garden_plug/config", true),
    ("homeassistant", "sketch2mqtt/garden_plug/power/set", true),
    ("homeassistant", "sketch2mqtt/garden_plug/schedule/put", true),
    ("homeassistant", "sketch2mqtt/garden_plug/schedule/delete", true),
    ("homeassistant", "sketch2mqtt/garden_plug", false),
    ("homeassistant", "sketch2mqtt/garden_plug/availability", false),
    ("homeassistant", "sketch2mqtt/bridge/main/state", false),
    ("homeassistant", "sketch2mqtt/bridge/main/request/reload", false),
    ("homeassistant", "sketch2mqtt/weather/tx", false),
    ("owner", "sketch2mqtt/garden_plug/set", true),
    ("owner", "sketch2mqtt/garden_plug/get", true),
    ("owner", "sketch2mqtt/weather/tx", true),
    ("owner", "sketch2mqtt/bridge/main/request/reload", true),
    ("owner", "sketch2mqtt/bridge/main/request/device/refresh", true),
    ("owner", "alerts/pet_door", true),
    ("owner", "sketch2mqtt/garden_plug", false),
    ("owner", "homeassistant/status", false),
    ("guest", "sketch2mqtt/garden_plug/power/set", false),
    ("guest", "sketch2mqtt/garden_plug/set", false),
    ("guest", "sketch2mqtt/garden_plug/get", false),
    ("guest", "sketch2mqtt/garden_plug/schedule/put", false),
    ("guest", "sketch2mqtt/weather/tx", false),
    ("guest", "sketch2mqtt/bridge/main/request/reload", false),
    ("guest", "sketch2mqtt/garden_plug", false),
    ("guest", "homeassistant/status", false),
  ]

  @Test(arguments: [true, false])
  func `each user publishes what it may and nothing else`(version5: Bool) async throws {
    let broker = try await ExampleBroker()
    // Nobody may read everything: who may see a topic of each.
    let readers = [
      try await broker.client("bridge"), try await broker.client("homeassistant"),
      try await broker.client("owner"),
    ]
    for (number, right) in Self.rights.enumerated() {
      let client = try await broker.client(right.user, subscribingTo: [], version5: version5)
      try await client.publish("\(number)", to: right.topic)
      // What comes before it comes first: where this is, the other has been decided.
      let witness = try await broker.client("bridge", subscribingTo: [])
      try await witness.publish("\(number)", to: "sketch2mqtt/witness")
      for reader in readers {
        try await reader.messages.first { $0.topic == "sketch2mqtt/witness" && $0.text == "\(number)" }
      }
      let isSeen = readers.contains { reader in
        reader.messages.all.contains { $0.topic == right.topic && $0.text == "\(number)" }
      }
      #expect(isSeen == right.isAllowed, "\(right.user) publishing to \(right.topic)")
      client.disconnect()
      witness.disconnect()
    }
    for reader in readers { reader.disconnect() }
    try await broker.stop()
  }

  @Test @Loop func `a guest sees how the boards are, and cannot command them`() async throws {
    try await ExampleHouse.with { house in
      let guest = try await house.broker.client("guest")
      for topic in ["garden_plug", "garden_plug/availability", "pet_door", "bridge/main/state"] {
        try await guest.messages.first { $0.topic == "sketch2mqtt/\(topic)" }
      }
      let before = house.owner.messages.count
      for (topic, payload) in [
        ("garden_plug/power/set", "ON"), ("garden_plug/set", #"{"power":"ON"}"#),
        ("pet_door/lock/set", "LOCK"),
        ("weather/tx", "x"), ("bridge/main/request/health", ""),
      ] {
        try await guest.publish(payload, to: "sketch2mqtt/\(topic)")
        try await house.broker.denial(of: "sketch2mqtt/\(topic)")
      }
      // The bridge carries out what comes later, and nothing of the above.
      try await guest.messages.first { $0.topic == "sketch2mqtt/garden_plug" }
      try await house.owner.publish("", to: "sketch2mqtt/bridge/main/request/health")
      let health = try await house.message("bridge/main/response/health", from: before)
      #expect(health.hasPrefix(#"{"status":"ok""#))
      #expect(house.weather.received == [])
      let answers = house.owner.messages.all.dropFirst(before).filter { $0.topic.contains("/response/") }
      #expect(answers.count == 1)
      #expect(house.refusals == [])
      let seen = Set(guest.messages.all.map(\.topic))
      let boards = [
        "garden_plug", "pet_door", "weather", "garage", "rover", "tv", "remote", "attic", "keys", "drone",
      ].map { "sketch2mqtt/\($0)" }
      let readable = boards + boards.map { "\($0)/availability" } + ["sketch2mqtt/bridge/main/state"]
      #expect(seen.subtracting(readable) == [])
      guest.disconnect()
    }
  }

  @Test func `nobody gets in without the right password`() async throws {
    let broker = try await ExampleBroker()
    let password = try #require(broker.passwords["guest"])
    for (arguments, isLetIn) in [
      ([], false), (["-u", "guest"], false), (["-u", "guest", "-P", "guess"], false),
      (["-u", "nobody", "-P", password], false), (["-u", "bridge", "-P", password], false),
      (["-u", "guest", "-P", password], true),
    ] {
      let result = try await Program.run(
        "mosquitto_pub", ["-p", "\(broker.port)", "-t", "sketch2mqtt/x", "-n"] + arguments)
      #expect((result.status == 0) == isLetIn, "\(arguments): \(result.errors)")
    }
    try await broker.stop()
  }

  @Test func `users are made once, and their passwords are all different`() async throws {
    let directory = try TestSupport.TemporaryDirectory()
    let program = ExampleBroker.folder.appending(path: "make-users").path
    let made = try await Program.run(program, [directory("passwords")])
    let lines = made.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map { $0[0] } == ["bridge", "homeassistant", "owner", "guest"])
    #expect(Set(lines.map { $0[1] }).count == 4 && lines.allSatisfy { $0[1].count == 20 })
    let file = try String(contentsOfFile: directory("passwords"), encoding: .utf8)
    #expect(lines.allSatisfy { !file.contains($0[1]) })
    let again = try await Program.run(program, [directory("passwords")])
    #expect(again.status == 1 && again.output == "")
    #expect(try String(contentsOfFile: directory("passwords"), encoding: .utf8) == file)
  }
}
