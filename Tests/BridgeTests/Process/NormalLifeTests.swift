import DeviceModel
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

private let lamp = PlugSlot(name: "Lamp", start: 4_000_000_000, lengthMinutes: 10, periodMinutes: 60)

struct `The bridge in normal life` {
  @Test func `says everything in order at the start, retained, and its own online last`() async throws {
    try await withHouse { house in
      try house.start()
      try await house.message(on: "bridge/main/state") { $0.text == "online" }
      // The list of devices comes a second after the start, which may be before the connection or after.
      let messages = house.recorder.messages.all.filter {
        $0.isRetained && !$0.topic.hasSuffix("bridge/main/devices")
      }
      let topics = messages.map(\.topic)
      let order = [
        "homeassistant/device/sketch2mqtt_main_bridge/config",
        "homeassistant/device/sketch2mqtt_main_plug/config",
        "sketch2mqtt/plug/availability", "sketch2mqtt/plug", "sketch2mqtt/bridge/main/info",
        "sketch2mqtt/bridge/main/state",
      ]
      #expect(Array(topics.prefix(order.count)) == order)
      #expect(messages.allSatisfy { $0.qos == 1 })
      try await house.message(on: "bridge/main/devices")
      try await house.retainedTopics(become: house.topics())
    }
  }

  @Test func `shows nothing as known before the board has said it`() async throws {
    try await withHouse { house in
      await house.plug.perform { $0.faults.reachability = .refuses }
      try house.start()
      let first = try await house.message(on: "plug")
      let members = try first.json
      #expect(members["power"] == .unknown)
      #expect(members["schedule"] == .unknown)
      #expect(try await house.message(on: "plug/availability").text == "offline")
    }
  }

  @Test func `shows what the board says`() async throws {
    try await withHouse(House.Options(plugSlots: [lamp])) { house in
      try await house.startAndSettle()
      let state = try await house.message(on: "plug") { $0.text.contains("Lamp") }.json
      #expect(state["power"] == "OFF")
      #expect(state["mode"] == "automatic")
      #expect(state["running"] == "none")
      #expect(state["clash"] == "OFF")
      #expect(state["next_switch"] == "2096-10-02T07:06:40Z")
      #expect(state["schedule"]?.list.first?["start"] == "2096-10-02T07:06:40Z")
      #expect(state["schedule"]?.list.first?["length"] == 10)
    }
  }

  @Test func `switches by bare words and by JSON, and believes only the board`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      for (topic, payload, power) in [
        ("plug/power/set", "ON", "ON"), ("plug/power/set", "toggle", "OFF"),
        ("plug/set", #"{"power":"ON"}"#, "ON"), ("plug/power/set", "false", "OFF"),
        ("plug/set", #"{"power":"TOGGLE"}"#, "ON"),
      ] {
        let seen = house.recorder.messages.count
        try await house.publish(payload, to: topic)
        let state = try await house.message(on: "plug", from: seen) {
          $0.text.contains("\"power\":\"\(power)\"")
        }
        #expect(try state.json["mode"] == "manual")
        #expect(await house.plug.applianceIsOn == (power == "ON"))
      }
      #expect(await house.plug.switchings == [.state(1), .state(0), .state(1), .state(0), .state(1)])
    }
  }

  @Test func `puts, deletes and replaces activations by name`() async throws {
    try await withHouse(House.Options(plugSlots: [lamp])) { house in
      try await house.startAndSettle()
      let heater = #"{"name":"Heater","start":"2096-10-02T00:00:00Z","length":30,"period":120}"#
      try await house.publish(heater, to: "plug/schedule/put")
      let both = try await house.message(on: "plug") { $0.text.contains("Heater") }.json
      #expect(both["schedule"]?.list.map { $0["name"] } == ["Lamp", "Heater"])
      #expect(await house.plug.slots[1].name == "Heater")

      try await house.publish("Lamp", to: "plug/schedule/delete")
      try await house.message(on: "plug") { $0.text.contains("Heater") && !$0.text.contains("Lamp") }
      #expect(await house.plug.slots[0].isFree)

      let seen = house.recorder.messages.count
      let pump = #"[{"name":"Pump","start":"2096-10-02T00:00:00Z","length":5,"period":0}]"#
      try await house.publish(pump, to: "plug/schedule/set")
      let replaced = try await house.message(on: "plug", from: seen) { $0.text.contains("Pump") }.json
      #expect(replaced["schedule"]?.list.map { $0["name"] } == ["Pump"])
      #expect(await house.plug.slots.filter { !$0.isFree }.map(\.name) == ["Pump"])
    }
  }

  @Test func `asks the board anew when asked to, and publishes again`() async throws {
    try await withHouse(configured: { $0.devices = [] }) { house in
      try house.configure { text in
        text.devices = [
          "{ name: Plug, kind: power_plug, link: { tcp: \"127.0.0.1:\(house.plug.port)\", poll: 1h } }"
        ]
      }
      try await house.startAndSettle()
      try await house.plug.wait { $0.connectedClients == 0 }

      await house.plug.perform { $0.forgetCommands() }
      var seen = house.recorder.messages.count
      try await house.publish("", to: "plug/get")
      try await house.message(on: "plug", from: seen)
      try await house.plug.wait { $0.commands.contains { $0.command == .table } && $0.connectedClients == 0 }

      await house.plug.perform { $0.put(lamp, at: 3) }
      seen = house.recorder.messages.count
      let answer = try await house.request("device/refresh", #"{"device":"plug"}"#)
      #expect(answer["status"] == "ok")
      try await house.message(on: "plug", from: seen) { $0.text.contains("Lamp") }
    }
  }

  @Test(arguments: ["values", "both"])
  func `publishes bare values when asked to`(output: String) async throws {
    try await withHouse(House.Options(plugSlots: [lamp]), configured: { $0.top = ["output: \(output)"] }) {
      house in
      try await house.startAndSettle()
      try await house.message(on: "plug/power") { $0.text == "OFF" }
      try await house.message(on: "plug/next_switch") { $0.text == "2096-10-02T07:06:40Z" }
      try await house.message(on: "plug/schedule") { $0.text.hasPrefix(#"[{"name":"Lamp""#) }
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug/power") { $0.text == "ON" }
      try await house.message(on: "plug/next_switch") { $0.text == "None" }
      try await house.message(on: "bridge/main/devices")
      try await house.retainedTopics(become: house.topics(output: output))
    }
  }

  @Test func `announces entity by entity when asked to`() async throws {
    try await withHouse(configured: { $0.homeAssistant = ["discovery: components", "prefix: ha"] }) { house in
      try await house.startAndSettle()
      try await house.message(on: "bridge/main/devices")
      try await house.retainedTopics(become: house.topics(form: .components, prefix: "ha"))
      let config = try #require(house.recorder.latest["ha/switch/sketch2mqtt_main_plug/power/config"]).json
      #expect(config["command_topic"] == "sketch2mqtt/plug/power/set")
      #expect(config["unique_id"] == "sketch2mqtt_main_plug_power")
    }
  }

  @Test func `publishes nothing for polls that bring nothing new`() async throws {
    try await withHouse(House.Options(plugSlots: [lamp])) { house in
      try await house.startAndBecomeQuiet()
      let seen = house.recorder.messages.count
      let clients = await house.plug.acceptedClients
      try await house.plug.wait { $0.acceptedClients >= clients + 3 && $0.connectedClients == 0 }
      try await house.recorder.publish("", to: "test/end")
      let end = try await house.recorder.message(on: "test/end", from: seen)
      #expect(house.recorder.messages.all[seen...].map(\.topic) == [end.topic])
    }
  }

  @Test func `leaves the board's own schedule running, and shows what it does`() async throws {
    var options = House.Options()
    options.plugOptions.checkInterval = .milliseconds(100)
    try await withHouse(options) { house in
      try await house.startAndSettle()
      let now = UInt32(Date().timeIntervalSince1970)
      let soon = PlugSlot(name: "Soon", start: now + 2, lengthMinutes: 60, periodMinutes: 120)
      await house.plug.perform { $0.put(soon, at: 0) }
      try await house.plug.wait { $0.applianceIsOn }
      let state = try await house.message(on: "plug") { $0.text.contains("\"power\":\"ON\"") }.json
      #expect(state["running"] == "Soon")
      #expect(state["mode"] == "automatic")
    }
  }

  @Test func `ends cleanly on a signal, and says offline for itself and its boards`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      #expect(try await house.bridge.terminate() == .code(0))
      let retained = try await house.retained()
      #expect(retained["sketch2mqtt/bridge/main/state"]?.text == "offline")
      #expect(retained["sketch2mqtt/plug/availability"]?.text == "offline")
      #expect(Set(retained.keys) == house.topics())
    }
  }

  @Test func `tells errors, warnings and news on its log topic`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      try await house.publish("perhaps", to: "plug/power/set")
      let line = try await house.message(on: "bridge/main/log") { $0.text.contains("perhaps") }
      #expect(try line.json["level"] == "info")
      #expect(!line.isRetained)
    }
  }
}
