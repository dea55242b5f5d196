import BlueZ
import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Connecting {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `ten boards connect one at a time and never while scanning`() async throws {
      try await Radio.with { radio in
        let boards = (0..<10).map { _ in radio.board(RawUARTBoard()) }
        let ports = boards.map { Port(radio, .address($0.address)) }
        for port in ports { try await port.up() }
        #expect(radio.bluez.mostConnectsAtOnce == 1)
        #expect(radio.bluez.connectsWhileScanning == 0)
        #expect(boards.allSatisfy { $0.connectCalls == 1 })
        await radio.until("scanning ends") { !radio.bluez.isDiscovering }
      }
    }

    @Loop @Test func `an absent board never holds a present one up`() async throws {
      try await Radio.with { radio in
        let absent = radio.board(RawUARTBoard())
        absent.isAdvertising = false
        let hanging = radio.board(RawUARTBoard())
        hanging.usualCourse = .hangs
        let present = radio.board(RawUARTBoard())
        let ports = [absent, hanging, present].map { Port(radio, .address($0.address)) }
        try await ports[2].up()
        for _ in 0..<5 {
          let seen = ports[2].events.count
          present.drop()
          try await ports[2].up(from: seen)
        }
        #expect(absent.connectCalls == 0)
        let reason = try await ports[1].down()
        #expect(reason == .connectionTimedOut(seconds: 0))
        #expect(ports[0].uart.obstacle == .notSeen)
        #expect(radio.bluez.mostConnectsAtOnce == 1)
      }
    }

    @Loop @Test func `a board that comes into range later is found then`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.isAdvertising = false
        let port = Port(radio, .address(board.address))
        await radio.until("scanning begins") { radio.bluez.isDiscovering }
        try await radio.settle()
        #expect(board.connectCalls == 0)
        board.isAdvertising = true
        try await port.up()
      }
    }

    @Loop @Test func `an abort is tried again once at once, then after a pause`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.nextCourses = [.fails(.failed("le-connection-abort-by-local"))]
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(port.events.all == [.up(20)])
        #expect(port.uart.lastFailure == .connectionAborted)
        #expect(port.uart.failedAttempts == 1)
        #expect(board.connectCalls == 2)
        #expect(radio.bluez.discoveriesStarted == 1)
      }
    }

    @Loop
    @Test(arguments: [
      (ConnectCourse.fails(.failed("le-connection-abort-by-local")), BlueZError.connectionAborted),
      (.fails(.failed("Operation already in progress")), .connectionBusy),
      (.fails(.failed("br-connection-canceled")), .connectionCanceled),
      (.fails(.failed("Input/output error")), .adapterOff("hci0")),
      (.fails(BlueZFault("org.bluez.Error.InProgress", "In Progress")), .inProgress),
      (.fails(BlueZFault("org.bluez.Error.NotReady", "Resource Not Ready")), .adapterOff("hci0")),
      (.fails(BlueZFault("org.freedesktop.DBus.Error.AccessDenied", "policy")), .accessDenied("policy")),
      (.fails(.failed("le-connection-refused")), .connectionFailed("le-connection-refused")),
      (.hangs, .connectionTimedOut(seconds: 0)),
      (.unanswered, .connectionAborted),
      (.dropsAtOnce, .dropped),
      (.mute, .boardMute),
      (.classicRefused, .connectedOverBREDR),
      (.slow(.seconds(30)), .connectionTimedOut(seconds: 0)),
    ])
    func `each way to fail has its cause, and the board is reached after it`(
      course: ConnectCourse, error: BlueZError
    ) async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(isEcho: true))
        board.nextCourses = [course]
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(port.uart.lastFailure == error)
        #expect(port.uart.failedAttempts == 1)
        #expect(await port.send("x").failure == nil)
        try await port.received.first { $0 == "x" }
        #expect(radio.bluez.mostConnectsAtOnce == 1)
      }
    }

    @Loop @Test func `a dual-mode module connected by its classic radio is named`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.isClassicToo = true
        board.usualCourse = .classic
        let port = Port(radio, .address(board.address))
        let reason = try await port.down()
        #expect(reason == .connectedOverBREDR)
        let seen = port.events.count
        let again = try await port.down(from: seen)
        #expect(again == .connectedOverBREDR)
      }
    }

    @Loop @Test func `a board that is removed while it connects is waited for again`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.nextCourses = [.hangs]
        let port = Port(radio, .address(board.address))
        await radio.until("it connects") { board.connectCalls == 1 }
        let other = try await SecondClient.connect(to: radio.bus.address)
        let removal = await other.refusal(
          "/org/bluez/hci0", "Adapter1", "RemoveDevice",
          [.objectPath(.init("/org/bluez/hci0/dev_C0_DE_00_00_00_01") ?? .root)])
        #expect(removal == "")
        try await port.up()
        #expect(port.uart.lastFailure == .boardRemoved)
        other.close()
      }
    }

    @Loop @Test func `closing gives a connect up and leaves the board free`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.nextCourses = [.slow(.seconds(20))]
        let port = Port(radio, .address(board.address))
        await radio.until("it connects") { board.connectCalls == 1 }
        port.uart.close()
        port.uart.open()
        try await port.up()
        #expect(board.connectCalls == 2)
      }
    }

    @Loop @Test func `a pairing that is needed is said`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.faults["AcquireNotify"] = .attribute(0x05)
        let port = Port(radio, .address(board.address))
        let reason = try await port.down()
        #expect(reason == .pairingNeeded)
      }
    }
  }
}
