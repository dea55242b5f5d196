import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

private let lamp = PlugSlot(name: "Lamp", start: 4_000_000_000, lengthMinutes: 10, periodMinutes: 60)

private func withPlug(_ body: (House) async throws -> Void) async throws {
  try await withHouse(
    House.Options(plugSlots: [lamp]),
    configured: { text in
      text.devices = text.devices.map {
        $0.replacing("poll: 1s", with: "poll: 1s, connect_timeout: 500ms")
      }
    }, body)
}

/// What can be wrong with a board so that it counts as away, and what a command is told then.
enum BoardFault: CaseIterable, CustomTestStringConvertible {
  case silent, halfOpen, refusing, neverServed, unanswered, powerCutNoticed, powerCutUnnoticed

  var testDescription: String { "\(self)" }

  var reasons: Set<String> {
    switch self {
    case .silent, .halfOpen, .neverServed: ["timeout"]
    case .refusing, .powerCutNoticed: ["busy"]
    case .unanswered, .powerCutUnnoticed: ["away"]
    }
  }

  @Loop func begin(_ plug: SimulatedPowerPlug) {
    switch self {
    case .silent: plug.faults.isSilent = true
    case .halfOpen: plug.faults.isHalfOpen = true
    case .refusing: plug.faults.reachability = .refuses
    case .neverServed: plug.faults.reachability = .leavesInBacklog
    case .unanswered: plug.faults.reachability = .isUnanswered
    case .powerCutNoticed: plug.cutPower(isNoticed: true)
    case .powerCutUnnoticed: plug.cutPower(isNoticed: false)
    }
  }

  @Loop func end(_ plug: SimulatedPowerPlug) {
    plug.faults = .none
    plug.returnPower()
  }
}

struct `The bridge with a board that fails` {
  @Test(arguments: BoardFault.allCases)
  func `says so, keeps the last good values, refuses commands, and finds the board again`(
    fault: BoardFault
  ) async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      let good = try await house.message(on: "plug") { $0.text.contains("Lamp") }
      var seen = house.recorder.messages.count
      await house.plug.perform { fault.begin($0) }
      try await house.message(on: "plug/availability", from: seen) {
        $0.text == "offline"
      }
      #expect(house.recorder.latest["sketch2mqtt/plug"]?.text == good.text)

      seen = house.recorder.messages.count
      await house.plug.perform { $0.forgetCommands() }
      try await house.publish("ON", to: "plug/power/set")
      let failure = try await house.failure(from: seen)
      #expect(fault.reasons.contains(failure.reason), "\(failure)")
      #expect(failure.device == "plug")

      seen = house.recorder.messages.count
      await house.plug.perform { fault.end($0) }
      try await house.message(on: "plug/availability", from: seen) {
        $0.text == "online"
      }
      // The failed command is not made up for.
      #expect(await house.plug.switchings == [])
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.text.contains("\"power\":\"ON\"") }
      #expect(await house.plug.switchings == [.state(1)])
    }
  }

  @Test func `says online just once for a board that breaks off in the middle of each table`() async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      let good = try await house.message(on: "plug") { $0.text.contains("Lamp") }
      let seen = house.recorder.messages.count
      let clients = await house.plug.perform { plug in
        plug.faults.resetsAfterBytes = 100
        return plug.acceptedClients
      }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 4 }
      let availability = house.recorder.messages.all[seen...].filter { $0.topic.hasSuffix("availability") }
      #expect(availability.map(\.text) == [])
      #expect(house.recorder.latest["sketch2mqtt/plug"]?.text == good.text)

      try await house.plug.whenIdle { $0.faults = .none }
      // A command before the next session may fall to the end of the one that broke off, and is refused rightly.
      let broken = await house.plug.perform { $0.acceptedClients }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients > broken }
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.text.contains("\"power\":\"ON\"") }
    }
  }

  @Test func `puts fragments together`() async throws {
    try await withPlug { house in
      await house.plug.perform { plug in
        plug.faults.fragmentSize = 7
        plug.faults.fragmentDelay = .milliseconds(2)
      }
      try await house.startAndSettle()
      try await house.message(on: "plug") { $0.text.contains("Lamp") }
      let health = try await house.request("health")
      #expect(health["data"]?["devices"]?["plug"]?["links"]?.list.first?["undecodable"] == 0)
    }
  }

  @Test(arguments: [(bytes: [UInt8](repeating: 0xFE, count: 40), offset: 0), ([0xFF, 0xFF], 150)])
  func `passes garbage over, counts it, says so once, and keeps the last good values`(
    bytes: [UInt8], offset: Int
  ) async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      let good = try await house.message(on: "plug") { $0.text.contains("Lamp") }
      let clients = await house.plug.perform { plug in
        plug.faults.garbage = PlugFaults.Garbage(bytes, at: offset)
        return plug.acceptedClients
      }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 3 }
      #expect(house.recorder.latest["sketch2mqtt/plug"]?.text == good.text)
      let health = try await house.request("health")
      let undecodable = health["data"]?["devices"]?["plug"]?["links"]?.list.first?["undecodable"]?.integer
      #expect(try #require(undecodable) > 0)
      #expect(house.log.count { $0.contains("bytes passed over") } == 1)
      #expect(house.log.count { $0.contains("WARNING") } == 1)
    }
  }

  @Test func `keeps the last good table when it comes truncated`() async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      let good = try await house.message(on: "plug") { $0.text.contains("Lamp") }
      let clients = await house.plug.perform { plug in
        plug.faults.tableLength = 100
        return plug.acceptedClients
      }
      try await house.plug.wait(atMost: .patience) { $0.acceptedClients >= clients + 2 }
      #expect(house.recorder.latest["sketch2mqtt/plug"]?.text == good.text)
      let seen = house.recorder.messages.count
      let pump = #"{"name":"Pump","start":"2096-10-02T00:00:00Z","length":5,"period":0}"#
      try await house.publish(pump, to: "plug/schedule/put")
      let failure = try await house.failure(from: seen)
      #expect(failure.reason == "link_error")
      #expect(failure.property == "schedule")
      #expect(await house.plug.slots.filter { !$0.isFree } == [lamp])
    }
  }

  @Test func `waits while the owner's phone is served, and goes on when it has left`() async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      var seen = house.recorder.messages.count
      // To the bridge a plug that serves another client is one that does not answer.
      try await house.plug.whenIdle { $0.faults.reachability = .leavesInBacklog }
      try await house.publish("ON", to: "plug/power/set")
      #expect(try await house.failure(from: seen).reason == "timeout")
      seen = house.recorder.messages.count
      await house.plug.perform { $0.faults = .none }
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.text.contains("\"power\":\"ON\"") }
    }
  }

  @Test func `tells of a switching that the board does not do`() async throws {
    try await withPlug { house in
      try await house.startAndSettle()
      await house.plug.perform { $0.faults.lostCommands = .state }
      let seen = house.recorder.messages.count
      try await house.publish("ON", to: "plug/power/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.reason == "timeout")
      #expect(failure.property == "power")
      #expect(house.recorder.messages.all[seen...].allSatisfy { !$0.text.contains("\"power\":\"ON\"") })
    }
  }

  @Test func `serves one board while another hangs`() async throws {
    var options = House.Options()
    options.plugs = 2
    try await withHouse(options) { house in
      try await house.startAndSettle()
      await house.plugs[0].perform { $0.faults.isSilent = true }
      for index in 0..<3 {
        let seen = house.recorder.messages.count
        try await house.publish("ON", to: "plug_1/power/set")
        try await house.publish("TOGGLE", to: "plug_2/power/set")
        let word = index.isMultiple(of: 2) ? "ON" : "OFF"
        try await house.message(on: "plug_2", from: seen) { $0.text.contains("\"power\":\"\(word)\"") }
      }
    }
  }
}
