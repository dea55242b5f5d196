import DeviceModel
import BlueZ
import EventLoop
import Glibc
import Simulation
import Foundation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Reconnection {
    init() { #expect(LoopThread.started) }

    /// Both ends of `AcquireNotify` and `AcquireWrite`, which alone are sockets of packets here.
    private static func packetSockets() -> Int {
      (0..<1024).count { descriptor in
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(Int32(descriptor), SOL_SOCKET, SO_TYPE, &type, &size) == 0
          && type == Int32(SOCK_SEQPACKET.rawValue)
      }
    }

    @Loop @Test(arguments: [true, false])
    func `200 rounds of connect, notify, write, drop are one delivery each`(
      byDescriptor: Bool
    ) async throws {
      var timing = Radio.timing
      timing.backOff.healthyAfter = .zero
      try await Radio.with(timing: timing) { radio in
        radio.bluez.timing = SimulatedBlueZTiming().faster(by: 200)
        let before = Self.packetSockets()
        let uart = RawUARTBoard(isEcho: true)
        let board = radio.board(uart)
        if !byDescriptor { board.faults["AcquireNotify"] = BlueZFault("org.bluez.Error.NotSupported") }
        let port = Port(radio, .address(board.address))
        var seen = 0
        for round in 0..<200 {
          try await port.up(from: seen)
          #expect(await port.send("\(round)").failure == nil)
          try await port.received.first { $0 == "\(round)" }
          seen = port.events.count
          board.drop()
          let reason = try await port.down(from: seen)
          #expect(reason == .dropped)
          RoundsReport.tell(after: round + 1)
        }
        #expect(port.received.all == (0..<200).map(String.init))
        port.uart.close()
        await radio.until("the board is left") { !board.isConnected }
        try await radio.settle()
        if RoundsReport.isWanted { #expect(Self.packetSockets() == before, "descriptors are left") }
      }
    }

    /// In a process of its own, where no other test takes memory or sockets meanwhile.
    @Test func `200 rounds leave no descriptor and no memory behind`() async throws {
      let alone = try ChildProcess(
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        ["--testing-library", "swift-testing", "--filter", "200 rounds of connect"],
        environment: ProcessInfo.processInfo.environment.merging([RoundsReport.variable: "1"]) { $1 })
      #expect(try await alone.exit(within: .seconds(120)) == .code(0))
      let reports = alone.output.all.compactMap(RoundsReport.init)
      let early = reports.filter { $0.round == 100 }.map(\.residentKilobytes)
      let late = reports.filter { $0.round == 200 }.map(\.residentKilobytes)
      #expect(early.count == 2 && late.count == 2)
      let growth = try #require(late.max()) - #require(early.max())
      // A heap settles over a thousand rounds or so; a link that is kept costs more than that each time.
      #expect(growth < 3072, "\(growth) kB more after 200 rounds than after 100")
    }

    @Loop @Test func `a board that speaks from its connect callback is heard after a reconnection`()
      async throws
    {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        uart.greeting = Array("m:0".utf8)
        let board = radio.board(uart)
        board.faults["AcquireNotify"] = BlueZFault("org.bluez.Error.NotSupported")
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(port.received.all == [])
        // BlueZ subscribes again by itself: the greeting comes before StartNotify, and once.
        for round in 1...3 {
          let seen = port.events.count
          board.drop()
          try await port.up(from: seen)
          try await port.received.first { _ in true }
          uart.say("s\(round)")
          try await port.received.first { $0 == "s\(round)" }
        }
        #expect(port.received.all == ["m:0", "s1", "m:0", "s2", "m:0", "s3"])
      }
    }

    @Loop @Test func `a descriptor that ends while the connection lives is not used for that board again`()
      async throws
    {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let other = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        let otherPort = Port(radio, .address(other.address))
        try await port.up()
        try await otherPort.up()
        board.endNotificationDescriptor()
        await radio.until("it is subscribed by signal") { board.calls["StartNotify"] == 1 }
        try await radio.settle()
        uart.say("still here")
        try await port.received.first { $0 == "still here" }
        #expect(port.events.count == 1)
        let seen = port.events.count
        board.drop()
        try await port.up(from: seen)
        #expect(board.calls["AcquireNotify"] == 1)
        #expect(other.usesNotificationDescriptor)
      }
    }

    @Loop @Test func `a board that disconnects with its descriptor is subscribed by signal`() async throws {
      var timing = Radio.timing
      timing.disconnectGrace = .seconds(5)
      try await Radio.with(timing: timing) { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        board.endsNotificationsAndDrops = true
        radio.bluez.timing.connect = .milliseconds(50)
        let port = Port(radio, .address(board.address))
        await radio.until("it is subscribed by signal") {
          board.isSubscribed && board.calls["StartNotify"] != nil
        }
        try await radio.settle()
        uart.say("at last")
        try await port.received.first { $0 == "at last" }
        let acquired = try #require(board.calls["AcquireNotify"])
        #expect((2...4).contains(acquired))
      }
    }

    @Loop @Test func `a stale list of services is asked for anew, once`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard(isEcho: true)
        let board = radio.board(uart)
        board.rememberedServices = [.hm10]
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(port.events.all == [.up(20)])
        #expect(port.uart.lastFailure == .staleServices(paired: false))
        #expect(await port.send("new").failure == nil)
        try await port.received.first { $0 == "new" }
      }
    }

    @Loop @Test func `a board without the service is named as such, and not asked for anew for ever`()
      async throws
    {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(service: .hm10))
        let port = Port(radio, .address(board.address))
        let missing = BlueZError.uartMissing(
          wanted: UARTService.nus.service, found: [UARTService.hm10.service])
        let first = try await port.events.first { $0 == .down(missing) }
        #expect(first == .down(missing))
        #expect(
          "\(missing)" == "the board has no service 6e400001-b5a3-f393-e0a9-e50e24dcca9e; it has ffe0")
        let seen = port.events.count
        try await port.events.first(from: seen) { $0 == .down(missing) }
        #expect(port.events.all.allSatisfy { $0 == .down(missing) })
      }
    }

    @Loop @Test func `a paired board is not removed behind its owner's back`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.isPaired = true
        board.rememberedServices = [.hm10]
        let port = Port(radio, .address(board.address))
        let reason = try await port.down()
        #expect(reason == .staleServices(paired: true))
        #expect(board.rememberedServices == [.hm10])
      }
    }

    @Loop @Test func `a link left over by a killed bridge is taken over without an advertisement`()
      async throws
    {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let first = Port(radio, .address(board.address))
        try await first.up()
        // Another program with a central of its own is to BlueZ what a restarted bridge is.
        let settings = BluetoothSettings(bus: radio.bus.address)
        await radio.until("the board is connected") { board.isConnected }
        let second = BluetoothCentral(settings)
        second.start()
        let taken = second.uart(.address(board.address))
        let events = Inbox<String>("events")
        taken.onStateChange = { event in if case .up = event { events.append("up") } }
        board.endNotificationDescriptor()
        taken.open()
        try await events.first { $0 == "up" }
        #expect(board.connectCalls == 1)
        await second.stop()
      }
    }

    @Loop @Test func `a closed port is left alone, and opens again`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let port = Port(radio, .address(board.address))
        for round in 1...5 {
          let seen = port.events.count
          port.uart.open()
          try await port.up(from: seen)
          uart.say("\(round)")
          try await port.received.first { $0 == "\(round)" }
          port.uart.close()
          uart.say("unheard")
          await radio.until("the board is left") { !board.isConnected }
        }
        #expect(port.received.all == ["1", "2", "3", "4", "5"])
        #expect(port.events.all == [Port.Event](repeating: .up(20), count: 5))
      }
    }
  }
}
