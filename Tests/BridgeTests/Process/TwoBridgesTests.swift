import DeviceModel
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

struct `Two bridges on one broker` {
  /// Starts a second bridge with a configuration of its own, made from the first one's.
  private func startSecond(in house: House, _ change: (inout ConfigurationText) -> Void) throws {
    var text = ConfigurationText(servers: ["127.0.0.1:\(house.broker.port)"])
    text.devices = house.plugs.enumerated().map { ConfigurationText.plug("Plug \($0 + 1)", on: $1.port) }
    change(&text)
    try house.folder.write(text.text, to: "second.yaml")
    try house.start(configuration: "second.yaml", environment: ["XDG_STATE_HOME": house.folder("second")])
  }

  private func withTwoPlugs(_ body: (House) async throws -> Void) async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options, configured: { $0.devices.removeLast() }) { house in
      try house.start()
      try await house.message(on: "plug_1/availability") { $0.text == "online" }
      try await body(house)
    }
  }

  @Test func `live side by side with names of their own`() async throws {
    try await withTwoPlugs { house in
      try startSecond(in: house) { text in
        text.mqtt = ["bridge: second"]
        text.devices.removeFirst()
      }
      try await house.settled()
      try await house.message(on: "bridge/second/state") { $0.text == "online" }
      let both = ExpectedTopics(plugs: ["plug_1"]).all.union(
        ExpectedTopics(bridge: "second", plugs: ["plug_2"]).all)
      try await house.retainedTopics(become: both)
      try await house.publish("ON", to: "plug_2/power/set")
      try await house.message(on: "plug_2") { $0.text.contains("\"power\":\"ON\"") }
      #expect(await house.plugs[0].switchings == [])
      // The end of one is not the end of the other.
      try await house.bridge.terminate()
      let retained = try await house.retained()
      #expect(retained["sketch2mqtt/bridge/main/state"]?.text == "online")
      #expect(retained["sketch2mqtt/bridge/second/state"]?.text == "offline")
      #expect(retained["sketch2mqtt/plug_1/availability"]?.text == "online")
      #expect(house.log.allSatisfy { !$0.contains("served by") && !$0.contains("client id") })
    }
  }

  @Test func `with one device are told of it, and neither takes it from the other`() async throws {
    try await withTwoPlugs { house in
      try await house.message(on: "bridge/main/devices")
      try startSecond(in: house) { $0.mqtt = ["bridge: second"] }
      let event = try await house.message(on: "bridge/second/event") {
        $0.text.contains("device_claimed_twice")
      }
      #expect(try event.json["device"] == "plug_1")
      #expect(try event.json["bridge"] == "main")
      try await house.message(on: "bridge/main/event") { $0.text.contains("device_claimed_twice") }
      try await house.message(on: "bridge/second/devices") { $0.text.contains("also_served_by") }
      try await house.message(on: "bridge/main/devices") { $0.text.contains("also_served_by") }

      // The second gives it up: it stays with the first.
      try house.folder.write(
        try String(contentsOfFile: house.folder("second.yaml"), encoding: .utf8)
          .replacing("Plug 1", with: "Plug 3"), to: "second.yaml")
      var seen = house.recorder.messages.count
      try house.bridge.send(SIGHUP)
      try await house.message(on: "plug_3/availability", from: seen)
      try await house.message(on: "bridge/main/devices", from: seen) { !$0.text.contains("also_served_by") }
      let both = ExpectedTopics(plugs: ["plug_1"]).all.union(
        ExpectedTopics(bridge: "second", plugs: ["plug_2", "plug_3"]).all)
      try await house.retainedTopics(become: both)
      seen = house.recorder.messages.count
      try await house.publish("ON", to: "plug_1/power/set")
      try await house.message(on: "plug_1", from: seen) { $0.text.contains("\"power\":\"ON\"") }
    }
  }

  @Test(arguments: ["5", "3.1.1"])
  func `with one client id say so in their log`(version: String) async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(
      options, configured: { $0.mqtt = ["client_id: same", "version: \(version)"] }
    ) { house in
      try await house.startAndSettle()
      let first = try house.bridge
      try startSecond(in: house) { $0.mqtt = ["bridge: second", "client_id: same", "version: \(version)"] }
      let words = "uses the client id 'same'"
      try await first.errors.first(within: .seconds(60)) { $0.contains(words) }
      try await house.bridge.errors.first(within: .seconds(60)) { $0.contains(words) }
    }
  }
}
