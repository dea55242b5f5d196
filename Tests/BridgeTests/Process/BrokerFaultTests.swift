import EventLoop
import Simulation
import TestSupport
import Testing

struct `The bridge with a broker that fails` {
  @Test func `waits for a broker that starts later`() async throws {
    try await withHouse { house in
      try await house.broker.kill()
      let bridge = try house.start()
      try await bridge.errors.first(within: .patience) { $0.contains("cannot reach the broker") }
      try await house.broker.start()
      try await house.online(on: house.broker.port)
      #expect(bridge.isRunning)
    }
  }

  @Test(arguments: [false, true])
  func `says everything again after the broker died and came back`(persistence: Bool) async throws {
    var options = House.Options()
    options.broker.persistence = persistence
    try await withHouse(options) { house in
      try await house.startAndBecomeQuiet()
      try await house.broker.kill()
      try await house.bridge.errors.first(within: .patience) { $0.contains("no broker") }
      // What happens meanwhile is there afterwards, and nothing of what was before.
      let clients = await house.plug.perform { plug in
        plug.put(PlugSlot(name: "New", start: 4_000_000_000, lengthMinutes: 1, periodMinutes: 0), at: 5)
        return plug.acceptedClients
      }
      try await house.plug.wait(atMost: .patience) {
        $0.acceptedClients >= clients + 2 && $0.connectedClients == 0
      }
      try await house.broker.start()
      let client = try await MQTTRecorder(port: house.broker.port)
      try await client.message(on: "sketch2mqtt/plug", within: .patience) { $0.text.contains("\"New\"") }
      try await house.online(on: house.broker.port)
      let retained = try await house.retained()
      #expect(Set(retained.keys) == house.topics())
      #expect(retained["sketch2mqtt/plug/availability"]?.text == "online")
    }
  }

  @Test func `takes the next server when the first dies`() async throws {
    let second = try await Mosquitto()
    try await withHouse(configured: { $0.servers.append("127.0.0.1:\(second.port)") }) { house in
      try await house.startAndSettle()
      try await house.broker.kill()
      try await house.online(on: second.port)
      #expect(Set(try await house.retained(port: second.port).keys) == house.topics())
      // Commands are heard there.
      let client = try await MQTTRecorder(port: second.port)
      try await client.publish("ON", to: "sketch2mqtt/plug/power/set")
      try await client.message(on: "sketch2mqtt/plug", within: .patience) { $0.text.contains("\"ON\"") }
    }
  }

  @Test func `notices a broker that hangs, and goes on with it when it lives again`() async throws {
    try await withHouse(configured: { $0.mqtt.append("keep_alive: 5s") }) { house in
      try await house.startAndSettle()
      let bridge = try house.bridge
      house.broker.freeze()
      try await bridge.errors.first(within: .patience) { $0.contains("no broker") }
      let clients = await house.plug.acceptedClients
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 2 }
      let seen = house.recorder.messages.count
      house.broker.thaw()
      try await house.message(on: "bridge/main/state", from: seen) {
        $0.text == "online"
      }
    }
  }

  @Test func `ends in time although the broker hangs`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      house.broker.freeze()
      #expect(try await house.bridge.terminate() == .code(0))
      house.broker.thaw()
    }
  }

  @Test func `puts a foreign offline on its own state right`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      for payload in ["offline", "", "nonsense"] {
        let seen = house.recorder.messages.count
        try await house.publish(payload, to: "bridge/main/state", retain: true)
        try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" && $0.isRetained }
      }
    }
  }

  @Test func `does not take its own words of before for foreign ones`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      try await house.bridge.terminate()
      try await house.startAndSettle()
      try await house.bridge.kill9()
      try await house.startAndSettle()
      // A command's round trip: what the broker replayed has long arrived.
      try await house.publish("perhaps", to: "plug/power/set")
      _ = try await house.failure()
      #expect(house.log.filter { $0.contains("put right") } == [])
    }
  }

  @Test func `leaves its will when it is killed, and is whole again at the next start`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      var seen = house.recorder.messages.count
      try await house.bridge.kill9()
      try await house.message(on: "bridge/main/state", from: seen) { $0.text == "offline" && $0.isRetained }
      seen = house.recorder.messages.count
      try await house.startAndSettle()
      let topics = house.recorder.messages.all[seen...].map(\.topic)
      #expect(topics.contains("homeassistant/device/sketch2mqtt_main_plug/config"))
      #expect(topics.contains("sketch2mqtt/plug"))
      try await house.retainedTopics(become: house.topics())
    }
  }

  @Test func `says everything again when Home Assistant has started`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      let seen = house.recorder.messages.count
      try await house.recorder.publish("online", to: "homeassistant/status")
      try await house.message(on: "bridge/main/state", from: seen)
      let topics = house.recorder.messages.all[seen...].map(\.topic).filter { house.topics().contains($0) }
      #expect(Set(topics) == house.topics())
      #expect(topics.count == house.topics().count)
      #expect(topics.first == "homeassistant/device/sketch2mqtt_main_bridge/config")
    }
  }

  @Test func `says nothing again when Home Assistant goes`() async throws {
    try await withHouse { house in
      try await house.startAndBecomeQuiet()
      let seen = house.recorder.messages.count
      try await house.recorder.publish("offline", to: "homeassistant/status", retain: true)
      try await house.recorder.publish("bluster", to: "homeassistant/status")
      let clients = await house.plug.acceptedClients
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 3 }
      #expect(house.recorder.messages.all[seen...].allSatisfy { $0.topic == "homeassistant/status" })
    }
  }

  @Test func `brings all of many boards through a short queue`() async throws {
    var options = House.Options()
    options.plugs = 12
    try await withHouse(options, configured: { $0.mqtt.append("queue: 10") }) { house in
      try await house.startAndBecomeQuiet()
      #expect(try await house.bridge.terminate() == .code(0))
      let retained = try await house.retained()
      for id in house.plugIDs { #expect(retained["sketch2mqtt/\(id)/availability"]?.text == "offline") }
    }
  }
}

extension House {
  /// Awaits the bridge and its plug on a broker that may have begun just now.
  func online(on port: UInt16) async throws {
    let client = try await MQTTRecorder(port: port)
    defer { client.disconnect() }
    try await client.message(on: "sketch2mqtt/bridge/main/state") {
      $0.text == "online"
    }
    try await client.message(on: "sketch2mqtt/plug/availability", within: .patience) { $0.text == "online" }
    try await client.message(on: "sketch2mqtt/bridge/main/devices", within: .patience)
  }
}
