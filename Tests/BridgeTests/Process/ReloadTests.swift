import DeviceModel
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

struct `A reload` {
  @Test func `with mistakes says all of them and changes nothing`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      let clients = await house.plug.acceptedClients
      try house.configure { text in
        text.top = ["outputt: json", "log_level: loud"]
        text.devices = ["{ name: Plug, kind: power_plugg, link: { tcp: nowhere } }"]
      }
      let seen = house.recorder.messages.count
      let answer = try await house.request("reload")
      #expect(answer["status"] == "error")
      let error = try #require(answer["error"]?.text)
      for words in ["'output'", "loud", "'power_plug'", "nowhere", "sketch2mqtt.yaml:"] {
        #expect(error.contains(words), "\(words) in \(error)")
      }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients > clients }
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.text.contains("\"power\":\"ON\"") }
      let changed = house.recorder.messages.all[seen...].filter {
        $0.isRetained && $0.topic != "sketch2mqtt/plug"
      }
      #expect(changed.map(\.topic) == [])
    }
  }

  @Test(arguments: ["base_topic: other", "bridge: other"])
  func `cannot change the names of topics, and says so`(line: String) async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      try house.configure { $0.mqtt.append(line) }
      let answer = try await house.request("reload")
      #expect(answer["status"] == "error")
      #expect(try #require(answer["error"]?.text).contains("restart"))
    }
  }

  @Test func `leaves alone the devices that stay as they are`() async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options) { house in
      try await house.startAndBecomeQuiet()
      let seen = house.recorder.messages.count
      try house.configure { $0.devices[1] = $0.devices[1].replacing("poll: 1s", with: "poll: 2s") }
      #expect(try await house.request("reload")["status"] == "ok")
      try await house.message(on: "plug_2/availability", from: seen) { $0.text == "online" }
      let messages = house.recorder.messages.all[seen...]
      #expect(!messages.contains { $0.topic.hasPrefix("sketch2mqtt/plug_1") })
      // Neither does the other vanish for an instant.
      #expect(!messages.contains { $0.isRetained && $0.payload.isEmpty })
    }
  }

  @Test func `with nothing new publishes nothing`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      let seen = house.recorder.messages.count
      for _ in 0..<3 { #expect(try await house.request("reload")["status"] == "ok") }
      let retained = house.recorder.messages.all[seen...].filter {
        $0.isRetained && !$0.topic.hasSuffix("devices") && $0.topic != "test/marker"
      }
      #expect(retained.map(\.topic) == [])
    }
  }

  @Test func `adds a board, and takes commands for it`() async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options) { house in
      let second = "{ name: Plug 2, kind: power_plug, link: { tcp: \"127.0.0.1:\(house.plugs[1].port)\" } }"
      try house.configure { $0.devices.removeLast() }
      try house.start()
      try await house.message(on: "plug_1/availability") { $0.text == "online" }
      try house.configure { $0.devices.append(second) }
      try house.bridge.send(SIGHUP)
      try await house.settled()
      try await house.publish("ON", to: "plug_2/power/set")
      try await house.message(on: "plug_2") { $0.text.contains("\"power\":\"ON\"") }
      try await house.retainedTopics(become: house.topics())
    }
  }

  @Test func `follows Home Assistant to another status topic`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      for (lines, topic) in [
        (["status_topic: my/status"], "my/status"), (["prefix: ha"], "homeassistant/status"),
      ] {
        try house.configure { $0.homeAssistant = lines }
        #expect(try await house.request("reload")["status"] == "ok")
        let seen = house.recorder.messages.count
        try await house.recorder.publish("online", to: topic)
        try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
      }
    }
  }

  @Test func `moves to another broker, and says offline at the one it leaves`() async throws {
    let second = try await Mosquitto()
    try await withHouse { house in
      try await house.startAndSettle()
      try house.configure { $0.servers = ["127.0.0.1:\(second.port)"] }
      let bridge = try house.bridge
      // A second one while the first is under way.
      bridge.send(SIGHUP)
      try await bridge.errors.first(within: .patience) { $0.contains("reloaded") }
      bridge.send(SIGHUP)
      try await house.online(on: second.port)
      #expect(Set(try await house.retained(port: second.port).keys) == house.topics())
      let left = try await house.retained()
      #expect(left["sketch2mqtt/bridge/main/state"]?.text == "offline")
      #expect(left["sketch2mqtt/plug/availability"]?.text == "offline")
      let client = try await MQTTRecorder(port: second.port)
      try await client.publish("ON", to: "sketch2mqtt/plug/power/set")
      try await client.message(on: "sketch2mqtt/plug", within: .patience) { $0.text.contains("\"ON\"") }
      #expect(await house.plug.switchings == [.state(1)])
    }
  }

  @Test func `that moves to another broker can be followed by the end at once`() async throws {
    let second = try await Mosquitto()
    try await withHouse { house in
      try await house.startAndSettle()
      try house.configure { $0.servers = ["127.0.0.1:\(second.port)"] }
      let bridge = try house.bridge
      bridge.send(SIGHUP)
      try await bridge.errors.first(within: .patience) { $0.contains("reloaded") }
      #expect(try await bridge.terminate() == .code(0))
      for port in [house.broker.port, second.port] {
        let state = try await house.retained(port: port)["sketch2mqtt/bridge/main/state"]?.text
        #expect(state != "online")
      }
    }
  }
}
