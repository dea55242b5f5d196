import EventLoop
import Glibc
import Simulation
import TestSupport
import Testing

struct `The simulated plug on its port` {
  init() { #expect(LoopThread.started) }

  @Test @Loop func `a phone reads the status and the table, writes, clears and switches`() async throws {
    try await withPlug { plug in
      let phone = try await PhoneApp.connect(to: plug.port)
      #expect(try await phone.bytes(3) == status)
      try phone.send([0x41])
      #expect(try await phone.bytes(291) == table(of: plug))
      try phone.send([0x55, 4] + lampSlot.bytes)
      try await plug.wait { $0.slots[4] == lampSlot }
      try phone.send([0x44, 0])
      try await plug.wait { $0.slots[0].isFree }
      try phone.send([0x53, 1])
      try await plug.wait { $0.applianceIsOn && $0.isManual }
      #expect(
        plug.commands.map(\.command) == [.table, .write(slot: 4, lampSlot), .clear(slot: 0), .state(1)])
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
      #expect(plug.slots[0].start == lampSlot.start + 3600)
    }
  }

  @Test @Loop func `a fast clock runs the schedule by itself`() async throws {
    try await withPlug(speed: 3600) { plug in
      var switches: [Bool] = []
      plug.onChange = { if case .appliance(let isOn) = $0 { switches.append(isOn) } }
      try await plug.wait { _ in switches.count >= 4 }
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
      #expect(plug.slots[0].start == lampSlot.start + 3600)
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
    await #expect(throws: WaitExpired.self) { try await waiting.value }
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
