import EventLoop
import Glibc
import Simulation
import TestSupport
import Testing

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
      try phone.send([0x55, 1] + lampSlot.bytes)
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
      #expect(plug.slots[0].start == lampSlot.start + 3600)
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
