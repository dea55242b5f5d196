import Glibc
import Simulation
import TestSupport
import Testing

struct `Commands that must not be carried out` {
  private func withVersion(_ version: String, _ body: (House) async throws -> Void) async throws {
    try await withHouse(configured: { $0.mqtt.append("version: \(version)") }, body)
  }

  /// Sends one good command behind the bad ones and sees that the board got it alone.
  private func expectOnlyOne(_ house: House) async throws {
    let seen = house.recorder.messages.count
    try await house.publish("ON", to: "plug/power/set")
    try await house.message(on: "plug", from: seen) { $0.text.contains("\"power\":\"ON\"") }
    #expect(await house.plug.switchings == [.state(1)])
    #expect(await house.plug.slots.allSatisfy(\.isFree))
  }

  private let activation = #"{"name":"Pump","start":"2096-10-02T00:00:00Z","length":5,"period":0}"#

  private func retainAll(in house: House) async throws {
    try await house.publish("OFF", to: "plug/power/set", retain: true)
    try await house.publish(#"{"power":"OFF"}"#, to: "plug/set", retain: true)
    try await house.publish(activation, to: "plug/schedule/put", retain: true)
    try await house.publish("[\(activation)]", to: "plug/schedule/set", retain: true)
  }

  @Test(arguments: ["5", "3.1.1"])
  func `retained ones do nothing at the start, nor after the connection was lost`(
    version: String
  ) async throws {
    var options = House.Options()
    options.broker.persistence = true
    try await withHouse(options, configured: { $0.mqtt.append("version: \(version)") }) { house in
      try await retainAll(in: house)
      try await house.startAndSettle()
      // MQTT 5 brokers keep them back; older ones replay and flag them.
      if version == "3.1.1" {
        for topic in ["plug/power/set", "plug/set", "plug/schedule/put", "plug/schedule/set"] {
          try await house.message(on: "bridge/main/event") {
            Failure($0)?.reason == "retained" && $0.text.contains("sketch2mqtt/\(topic)")
          }
        }
      }
      let bridge = try house.bridge
      try await house.broker.stop()
      try await bridge.errors.first(within: .patience) { $0.contains("no broker") }
      try await house.broker.start()
      try await house.online(on: house.broker.port)
      let client = try await MQTTRecorder(port: house.broker.port)
      try await client.publish("ON", to: "sketch2mqtt/plug/power/set")
      try await client.message(on: "sketch2mqtt/plug", within: .patience) { $0.text.contains("\"ON\"") }
      #expect(await house.plug.switchings == [.state(1)])
      #expect(await house.plug.slots.allSatisfy(\.isFree))
    }
  }

  @Test func `retained ones that come just now are refused with an event, where the broker can tell`()
    async throws
  {
    try await withVersion("5") { house in
      try await house.startAndSettle()
      let seen = house.recorder.messages.count
      try await retainAll(in: house)
      for (topic, property) in [
        ("plug/power/set", "power"), ("plug/set", nil), ("plug/schedule/put", "schedule"),
      ] {
        let event = try await house.message(on: "bridge/main/event", from: seen) {
          $0.text.contains("sketch2mqtt/\(topic):")
        }
        let failure = try #require(Failure(event))
        #expect(failure.reason == "retained")
        #expect(failure.device == "plug")
        #expect(failure.property == property)
      }
      try await expectOnlyOne(house)
    }
  }

  @Test func `clearing a retained one is no command`() async throws {
    try await withVersion("5") { house in
      try await house.startAndSettle()
      let seen = house.recorder.messages.count
      try await house.publish("", to: "plug/power/set", retain: true)
      try await expectOnlyOne(house)
      #expect(house.recorder.messages.all[seen...].allSatisfy { Failure($0) == nil })
    }
  }

  @Test func `a retained request is refused with an event and not answered`() async throws {
    try await withVersion("5") { house in
      try await house.startAndSettle()
      let seen = house.recorder.messages.count
      try await house.publish("", to: "bridge/main/request/health", retain: true)
      try await house.publish(#"{"level":"debug"}"#, to: "bridge/main/request/log_level", retain: true)
      let failure = try await house.failure(from: seen)
      #expect(failure.reason == "retained")
      #expect(failure.device == nil)
      _ = try await house.request("health")
      #expect(house.recorder.messages.all[seen...].allSatisfy { !$0.topic.hasSuffix("response/log_level") })
      #expect(house.recorder.messages.all[seen...].count { $0.topic.hasSuffix("response/health") } == 1)
    }
  }

  @Test(arguments: ["5", "3.1.1"])
  func `those of the time without the bridge are never made up for`(version: String) async throws {
    try await withVersion(version) { house in
      try await house.startAndSettle()
      for isKilled in [false, true] {
        if isKilled { try await house.bridge.kill9() } else { try await house.bridge.terminate() }
        try await house.publish("OFF", to: "plug/power/set")
        try await house.publish(#"{"power":"OFF"}"#, to: "plug/set")
        try await house.startAndSettle()
      }
      try await expectOnlyOne(house)
    }
  }

  @Test func `those that waited while the bridge stood still are refused with an event`() async throws {
    try await withHouse { house in
      try await house.startAndSettle()
      try house.bridge.send(SIGSTOP)
      try await house.publish("OFF", to: "plug/power/set")
      try await house.publish(#"{"power":"OFF"}"#, to: "plug/set")
      // The bridge really stands still, and it is the length that makes it a standstill: nothing to await.
      try await Task.sleep(for: .seconds(16))
      let seen = house.recorder.messages.count
      try house.bridge.send(SIGCONT)
      for topic in ["plug/power/set", "plug/set"] {
        try await house.message(on: "bridge/main/event", from: seen) {
          Failure($0)?.reason == "timeout" && $0.text.contains("sketch2mqtt/\(topic)")
        }
      }
      // New ones are obeyed after a moment.
      for _ in 0..<60 {
        try await house.publish("ON", to: "plug/power/set")
        if (try? await house.plug.wait(atMost: .seconds(1)) { !$0.switchings.isEmpty }) != nil { break }
      }
      let switchings = await house.plug.switchings
      #expect(!switchings.isEmpty && switchings.allSatisfy { $0 == .state(1) })
    }
  }

  @Test func `those for a board that was away are not made up for`() async throws {
    try await withVersion("5") { house in
      try await house.startAndSettle()
      try await house.plug.whenIdle { $0.faults.reachability = .refuses }
      let seen = house.recorder.messages.count
      try await house.publish("OFF", to: "plug/power/set")
      try await house.publish(activation, to: "plug/schedule/put")
      try await house.message(on: "bridge/main/event", from: seen) { Failure($0)?.property == "power" }
      try await house.message(on: "bridge/main/event", from: seen) { Failure($0)?.property == "schedule" }
      let clients = await house.plug.perform { plug in
        plug.faults = .none
        return plug.acceptedClients
      }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 2 }
      try await expectOnlyOne(house)
    }
  }

  @Test func `those that were under way when the bridge ends are told as failed`() async throws {
    try await withVersion("5") { house in
      try await house.startAndSettle()
      try await house.plug.whenIdle { $0.faults.isSilent = true }
      let clients = await house.plug.acceptedClients
      let seen = house.recorder.messages.count
      try await house.publish("ON", to: "plug/power/set")
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients > clients }
      #expect(try await house.bridge.terminate() == .code(0))
      #expect(try await house.failure(from: seen).device == "plug")
    }
  }
}
