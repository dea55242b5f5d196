import EventLoop
import Glibc
import Simulation
import TestSupport
import Testing

private let noon = Duration.seconds(1_700_000_000)
private let lamp = PlugSlot(name: "Lamp", start: 1_700_000_060, lengthMinutes: 10, periodMinutes: 60)
private let status: [UInt8] = [0x53, 0, 0]

/// A plug whose time stands still, stopped when `body` ends.
@Loop private func withPlug(
  _ options: PlugSketchOptions = .classic, slots: [PlugSlot] = [lamp],
  secondClient: SimulatedPowerPlug.SecondClient = .waits, speed: Double = 0,
  _ body: @Loop (SimulatedPowerPlug) async throws -> Void
) async throws {
  let plug = try SimulatedPowerPlug(
    options: options, slots: slots, secondClient: secondClient,
    clock: SimulatedClock(startingAt: noon, speed: speed))
  defer { plug.stop() }
  try await body(plug)
}

@Loop private func table(of plug: SimulatedPowerPlug) -> [UInt8] { [0x41] + plug.sketch.table }

struct `The simulated plug on its port` {
  init() { #expect(LoopThread.started) }

  @Test @Loop func `a phone reads the status and the table, writes, clears and switches`() async throws {
    try await withPlug { plug in
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(try await phone.bytes(3) == status)
      try phone.send([0x41])
      #expect(try await phone.bytes(291) == table(of: plug))
      try phone.send([0x55, 4] + lamp.bytes)
      try await plug.wait { $0.slots[4] == lamp }
      try phone.send([0x44, 0])
      try await plug.wait { $0.slots[0].isFree }
      try phone.send([0x53, 1])
      try await plug.wait { $0.applianceIsOn && $0.isManual }
      #expect(plug.commands.map(\.command) == [.table, .write(slot: 4, lamp), .clear(slot: 0), .state(1)])
      #expect(plug.commands.allSatisfy { $0.time == noon && $0.client == 1 })
      #expect(await phone.end(within: 50) == .nothing)
    }
  }

  @Test @Loop func `a second client waits in silence until the first has left`() async throws {
    try await withPlug { plug in
      var first: PhoneApp? = try await PhoneApp.connect(to: plug.port)
      _ = try await first?.bytes(3)
      let second = try await PhoneApp.connect(to: plug.port)
      try second.send([0x41])
      #expect(await second.end(within: 100) == .nothing)
      #expect(plug.acceptedClients == 1)
      first = nil
      #expect(try await second.bytes(3 + 291) == status + table(of: plug))
      #expect(plug.connectedClients == 1)
    }
  }

  @Test @Loop func `or it is refused`() async throws {
    try await withPlug(secondClient: .isRefused) { plug in
      var first: PhoneApp? = try await PhoneApp.connect(to: plug.port)
      _ = try await first?.bytes(3)
      await #expect(throws: PhoneApp.End.reset) { try await PhoneApp.connect(to: plug.port) }
      first = nil
      try await plug.wait { $0.connectedClients == 0 }
      let second = try await PhoneApp.connect(to: plug.port)
      #expect(try await second.bytes(3) == status)
    }
  }

  @Test @Loop func `a client that ended its side still gets its answer`() async throws {
    try await withPlug { plug in
      plug.faults.answerDelay = .milliseconds(20)
      let phone = try await PhoneApp.connect(to: plug.port)
      try phone.send([0x41])
      phone.finish()
      #expect(try await phone.bytes(294) == status + table(of: plug))
      #expect(await phone.end() == .closed)
      try await plug.wait { $0.connectedClients == 0 }
    }
  }

  @Test @Loop func `the schedule rests while a phone stays`() async throws {
    try await withPlug { plug in
      var phone: PhoneApp? = try await PhoneApp.connect(to: plug.port)
      _ = try await phone?.bytes(3)
      plug.advance(by: .seconds(120))
      #expect(!plug.applianceIsOn)
      phone = nil
      try await plug.wait { $0.applianceIsOn }
      plug.advance(by: .seconds(600))
      #expect(!plug.applianceIsOn)
      #expect(plug.slots[0].start == lamp.start + 3600)
    }
  }

  @Test @Loop func `a fast clock runs the schedule by itself`() async throws {
    try await withPlug(speed: 3600) { plug in
      var switches: [Bool] = []
      plug.onChange = { if case .appliance(let isOn) = $0 { switches.append(isOn) } }
      try await plug.wait { $0.slots[0].start > lamp.start + 3600 }
      #expect(switches.prefix(4) == [true, false, true, false])
    }
  }

  @Test @Loop func `a newer board keeps its schedule and tells the phone`() async throws {
    try await withPlug(.newer) { plug in
      let phone = try await PhoneApp.connect(to: plug.port)
      _ = try await phone.bytes(3)
      plug.advance(by: .seconds(120))
      #expect(try await phone.bytes(3) == [0x53, 0, 1])
    }
  }

  @Test @Loop func `a jump skips what lies between`() async throws {
    try await withPlug { plug in
      plug.jump(by: .seconds(3600 + 61))
      #expect(!plug.applianceIsOn)
      #expect(plug.slots[0].start == lamp.start + 3600)
      plug.advance(by: .seconds(10))
      #expect(plug.applianceIsOn)
    }
  }

  @Test @Loop func `stopping closes the port and the connection and ends the waits`() async throws {
    let plug = try SimulatedPowerPlug(clock: SimulatedClock(startingAt: noon))
    let phone = try await PhoneApp.connect(to: plug.port)
    _ = try await phone.bytes(3)
    let waiting = Task { try await plug.wait { $0.applianceIsOn } }
    await Task.yield()
    plug.stop()
    await #expect(throws: PlugWaitExpired.self) { try await waiting.value }
    #expect(await phone.end() == .closed)
    await #expect(throws: PhoneApp.End.reset) { try await PhoneApp.connect(to: plug.port) }
  }

  @Test @Loop func `a port that is taken is an error with its name`() async throws {
    try await withPlug { plug in
      let failure = #expect(throws: SocketFailure.self) {
        try SimulatedPowerPlug(port: plug.port, clock: SimulatedClock(startingAt: noon))
      }
      #expect(failure?.call == "bind")
      #expect(failure?.code == EADDRINUSE)
    }
  }

  @Test @Loop func `no descriptor is left behind`() async throws {
    var ports: Set<UInt16> = []
    for round in 0..<200 {
      try await withPlug { plug in
        ports.insert(plug.port)
        let phone = try await PhoneApp.connect(to: plug.port)
        _ = try await phone.bytes(3)
        switch round % 4 {
        case 0: plug.faults.reachability = .isUnanswered
        case 1: plug.cutPower(isNoticed: false)
        case 2: plug.faults.isHalfOpen = true
        default: plug.faults.resetsAfterBytes = 3
        }
      }
    }
    // Other tests open descriptors meanwhile, but not on these ports, or not many.
    #expect(openSockets(on: ports) < 50)
  }

  private func openSockets(on ports: Set<UInt16>) -> Int {
    (0..<4096).count { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(Int32(descriptor), $0, &length) }
      }
      return result == 0 && address.sin_family == AF_INET
        && ports.contains(UInt16(bigEndian: address.sin_port))
    }
  }
}

struct `The faults of the simulated plug` {
  init() { #expect(LoopThread.started) }

  /// Connects and reads the status.
  @Loop private func phone(of plug: SimulatedPowerPlug) async throws -> PhoneApp {
    let phone = try await PhoneApp.connect(to: plug.port)
    #expect(try await phone.bytes(3) == status)
    return phone
  }

  @Test @Loop func `silence: the client is accepted and never answered`() async throws {
    try await withPlug { plug in
      plug.faults.isSilent = true
      let phone = try await PhoneApp.connect(to: plug.port)
      try phone.send([0x53, 1])
      try await plug.wait { $0.receivedBytes == 2 }
      #expect(plug.commands.isEmpty)
      #expect(await phone.end(within: 100) == .nothing)
    }
  }

  @Test @Loop func `half open: nothing is read, answered or closed`() async throws {
    try await withPlug { plug in
      var phone: PhoneApp? = try await phone(of: plug)
      plug.faults.isHalfOpen = true
      try phone?.send([0x41])
      #expect(await phone?.end(within: 100) == .nothing)
      #expect(plug.receivedBytes == 0)
      let later = try await PhoneApp.connect(to: plug.port)
      #expect(await later.end(within: 50) == .nothing)
      phone = nil
      #expect(plug.connectedClients == 1)
      plug.faults.isHalfOpen = false
      #expect(try await later.bytes(3) == status)
      #expect(plug.commands.map(\.command) == [.table])
    }
  }

  @Test(arguments: [0, 2, 3, 4, 100, 293]) @Loop
  func `reset: the connection breaks after so many bytes`(count: Int) async throws {
    try await withPlug { plug in
      plug.faults.resetsAfterBytes = count
      let phone = try await PhoneApp.connect(to: plug.port)
      if count > 3 { try phone.send([0x41]) }
      if count > 0 {
        #expect(try await phone.bytes(count) == Array((status + table(of: plug)).prefix(count)))
      }
      #expect(await phone.end() == .reset)
      try await plug.wait { $0.connectedClients == 0 }
      plug.faults = .none
      _ = try await self.phone(of: plug)
    }
  }

  @Test @Loop func `fragments: each segment is small and comes after a pause`() async throws {
    try await withPlug { plug in
      let phone = try await phone(of: plug)
      plug.faults.fragmentSize = 60
      plug.faults.fragmentDelay = .seconds(3600)
      try phone.send([0x41])
      #expect(try await phone.segment() == Array(table(of: plug).prefix(60)))
      #expect(await phone.end(within: 100) == .nothing)
    }
    try await withPlug { plug in
      let phone = try await phone(of: plug)
      plug.faults.fragmentSize = 7
      plug.faults.fragmentDelay = .milliseconds(1)
      try phone.send([0x41])
      #expect(try await phone.bytes(291) == table(of: plug))
    }
  }

  @Test @Loop func `glue: the status waits for the table and comes in one segment with it`() async throws {
    try await withPlug { plug in
      plug.faults.gluesMessages = true
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(await phone.end(within: 50) == .nothing)
      try phone.send([0x41])
      #expect(try await phone.segment() == status + table(of: plug))
    }
  }

  @Test @Loop func `garbage: before or within a message`() async throws {
    try await withPlug { plug in
      plug.faults.garbage = PlugFaults.Garbage([0xDE, 0xAD])
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(try await phone.bytes(5) == [0xDE, 0xAD] + status)
      plug.faults.garbage = PlugFaults.Garbage([0xFF], at: 100)
      try phone.send([0x41])
      let received = try await phone.bytes(292)
      let good = table(of: plug)
      #expect(received == good.prefix(100) + [0xFF] + good.dropFirst(100))
    }
  }

  @Test(arguments: [0, 28, 29, 100, 289, 291, 320]) @Loop
  func `table length: cut short or filled up`(length: Int) async throws {
    try await withPlug { plug in
      plug.faults.tableLength = length
      let phone = try await phone(of: plug)
      try phone.send([0x41])
      let filled = table(of: plug) + [UInt8](repeating: 0xFF, count: 30)
      #expect(try await phone.bytes(1 + length) == Array(filled.prefix(1 + length)))
      #expect(await phone.end(within: 50) == .nothing)
    }
  }

  @Test @Loop func `status: any bytes after the S`() async throws {
    try await withPlug { plug in
      plug.faults.statusBytes = [7, 0xFF, 1]
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(try await phone.bytes(4) == [0x53, 7, 0xFF, 1])
    }
  }

  @Test @Loop func `busy: refused, left in the backlog, or without any answer`() async throws {
    try await withPlug { plug in
      plug.faults.reachability = .refuses
      await #expect(throws: PhoneApp.End.reset) { try await PhoneApp.connect(to: plug.port) }
      plug.faults.reachability = .isUnanswered
      await #expect(throws: PhoneApp.End.nothing) { try await PhoneApp.connect(to: plug.port) }
      plug.faults.reachability = .leavesInBacklog
      let waiting = try await PhoneApp.connect(to: plug.port)
      #expect(await waiting.end(within: 50) == .nothing)
      plug.faults = .none
      #expect(try await waiting.bytes(3) == status)
      #expect(plug.listenFailure == nil)
    }
  }

  @Test @Loop func `slow: the answer comes late`() async throws {
    try await withPlug { plug in
      let phone = try await phone(of: plug)
      plug.faults.answerDelay = .milliseconds(500)
      try phone.send([0x41])
      #expect(await phone.end(within: 50) == .nothing)
      #expect(try await phone.bytes(291) == table(of: plug))
    }
  }

  @Test @Loop func `lost commands: received and without effect`() async throws {
    try await withPlug { plug in
      plug.faults.lostCommands = .write
      let phone = try await phone(of: plug)
      try phone.send([0x55, 1] + lamp.bytes)
      try await plug.wait { $0.commands.count == 1 }
      try phone.send([0x44, 0])
      try await plug.wait { $0.slots.allSatisfy(\.isFree) }
    }
  }

  @Test @Loop func `a noticed power cut resets the client and forgets the mode`() async throws {
    try await withPlug { plug in
      let phone = try await phone(of: plug)
      try phone.send([0x53, 1])
      try await plug.wait { $0.isManual }
      plug.cutPower()
      #expect(await phone.end() == .reset)
      #expect(!plug.applianceIsOn)
      await #expect(throws: PhoneApp.End.reset) { try await PhoneApp.connect(to: plug.port) }
      plug.advance(by: .seconds(3600 + 70))
      plug.returnPower()
      #expect(!plug.isManual)
      #expect(plug.applianceIsOn)
      #expect(plug.slots[0].start == lamp.start + 3600)
      let next = try await PhoneApp.connect(to: plug.port)
      #expect(try await next.bytes(3) == [0x53, 0, 1])
    }
  }

  @Test @Loop func `an unnoticed power cut leaves the client alone with its connection`() async throws {
    try await withPlug { plug in
      let phone = try await phone(of: plug)
      plug.cutPower(isNoticed: false)
      try phone.send([0x41])
      #expect(await phone.end(within: 100) == .nothing)
      await #expect(throws: PhoneApp.End.nothing) { try await PhoneApp.connect(to: plug.port) }
      plug.returnPower()
      #expect(await phone.end() == .reset)
      _ = try await self.phone(of: plug)
    }
  }

  @Test @Loop func `after any faults and bytes the plug serves as before`() async throws {
    try await withPlug { plug in
      for _ in 0..<150 {
        plug.faults = .random()
        if Int.random(in: 0..<8) == 0 { plug.cutPower(isNoticed: .random()) }
        if Bool.random() { plug.returnPower() }
        plug.advance(by: .seconds(Int.random(in: 0...100)))
        let phone = try? await PhoneApp.connect(to: plug.port)
        try? phone?.send(
          (0..<Int.random(in: 1...400)).map { _ in [0x41, 0x55, 0, 0xFF].randomElement() ?? 0 })
        _ = await phone?.end(within: 2)
      }
      plug.returnPower()
      plug.faults = .none
      try await plug.wait { $0.connectedClients == 0 }
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(try await phone.bytes(3) == plug.sketch.status)
      try phone.send([0x41])
      #expect(try await phone.bytes(291) == table(of: plug))
      #expect(plug.listenFailure == nil)
    }
  }
}

extension PlugFaults {
  /// About every second fault is on.
  fileprivate static func random() -> PlugFaults {
    var faults = PlugFaults()
    faults.isSilent = Int.random(in: 0..<4) == 0
    faults.isHalfOpen = Int.random(in: 0..<4) == 0
    // Unanswered connects take 300 ms each.
    faults.reachability = [.serves, .serves, .serves, .refuses, .leavesInBacklog].randomElement() ?? .serves
    faults.resetsAfterBytes = Bool.random() ? Int.random(in: 0...600) : nil
    faults.fragmentSize = Bool.random() ? Int.random(in: 0...50) : nil
    faults.fragmentDelay = .milliseconds(Int.random(in: 0...1))
    faults.answerDelay = .milliseconds(Int.random(in: 0...1))
    faults.gluesMessages = .random()
    faults.garbage = Bool.random() ? Garbage([1, 2, 3], at: Int.random(in: -1...300)) : nil
    faults.tableLength = Bool.random() ? Int.random(in: -1...400) : nil
    faults.statusBytes = Bool.random() ? [9] : nil
    return faults
  }
}
