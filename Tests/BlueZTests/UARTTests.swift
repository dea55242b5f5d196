import DeviceModel
import BlueZ
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct UART {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `a board is found, connected, heard and written to`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard(isEcho: true)
        let board = radio.board(uart)
        let port = Port(radio, .address(board.address.lowercased()))
        let offered = try await port.up()
        #expect(offered == 20)
        uart.say("hello")
        try await port.received.first { $0 == "hello" }
        #expect(await port.send("ping").failure == nil)
        try await port.received.first { $0 == "ping" }
        #expect(board.usesNotificationDescriptor)
        #expect(board.calls == ["AcquireNotify": 1, "AcquireWrite": 1])
        #expect(radio.bluez.connectsWhileScanning == 0)
        #expect(!radio.bluez.isDiscovering)
        #expect(radio.central.status.adapter == .poweredOn)
        #expect(radio.central.status.name == "hci0")
        #expect(radio.central.status.problem == nil)
      }
    }

    @Loop @Test func `a board is found by its name`() async throws {
      try await Radio.with { radio in
        _ = radio.board(RawUARTBoard(name: "UARTX"))
        let uart = RawUARTBoard(name: "Küche")
        let board = radio.board(uart)
        let port = Port(radio, .name("Küche"))
        try await port.up()
        #expect(board.isSubscribed)
        #expect(radio.bluez.boards[0].connectCalls == 0)
      }
    }

    @Loop @Test func `two boards of one name go to two ports`() async throws {
      try await Radio.with { radio in
        let boards = [radio.board(RawUARTBoard()), radio.board(RawUARTBoard())]
        let ports = [Port(radio, .name("UART")), Port(radio, .name("UART"))]
        for port in ports { try await port.up() }
        #expect(boards.allSatisfy { $0.isSubscribed })
      }
    }

    @Loop @Test func `an HM-10 has one characteristic for both directions`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(service: .hm10, isEcho: true))
        let port = Port(radio, .address(board.address), .hm10)
        try await port.up()
        #expect(await port.send("AT").failure == nil)
        try await port.received.first { $0 == "AT" }
      }
    }

    @Loop @Test func `a service of the owner's own numbers works`() async throws {
      try await Radio.with { radio in
        let service = SimulatedService(
          "0000abf0-0000-1000-8000-00805f9b34fb",
          [
            .init("0000abf1-0000-1000-8000-00805f9b34fb", ["write"]),
            .init("0000abf2-0000-1000-8000-00805f9b34fb", ["notify"]),
          ])
        let board = radio.board(RawUARTBoard(service: service, isEcho: true))
        let own = UARTService(
          service: try #require(BluetoothUUID("ABF0")), write: try #require(BluetoothUUID("abf1")),
          notify: try #require(BluetoothUUID("0000abf2")))
        let port = Port(radio, .address(board.address), own)
        try await port.up()
        #expect(await port.send("x").failure == nil)
        try await port.received.first { $0 == "x" }
        // No writes without an answer: no descriptor either.
        #expect(board.calls == ["AcquireNotify": 1, "WriteValue": 1])
      }
    }

    @Loop @Test(arguments: [(23, 20), (247, 244), (517, 512)])
    func `packets are as long as the MTU allows`(mtu: Int, maximum: Int) async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        board.mtu = mtu
        let port = Port(radio, .address(board.address))
        let offered = try await port.up()
        #expect(offered == maximum)
        #expect(
          await port.send([UInt8](repeating: 1, count: maximum + 1)).failure
            == .packetTooLong(bytes: maximum + 1, maximum: maximum))
        #expect(await port.send([UInt8](repeating: 2, count: maximum)).failure == nil)
        await radio.until("the packet arrives") { uart.received == [[UInt8](repeating: 2, count: maximum)] }
      }
    }

    @Loop @Test func `nothing is written to a board but what was asked for`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        let stranger = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(await port.send("1").failure == nil)
        await radio.until("the packet arrives") { !board.writes.isEmpty }
        port.uart.close()
        await radio.until("the board is left") { !board.isConnected }
        #expect(board.writes == [Array("1".utf8)])
        #expect(stranger.connectCalls == 0 && stranger.writes.isEmpty)
        #expect(await port.send("2").failure == .notConnected)
      }
    }

    @Loop @Test func `writes that need an answer go one after the other`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        board.faults["AcquireWrite"] = BlueZFault("org.bluez.Error.NotSupported")
        let port = Port(radio, .address(board.address))
        try await port.up()
        let sent = Inbox<Int>("sent")
        for number in 0..<50 {
          port.uart.send(Array("\(number)".utf8)) { result in
            #expect(result.failure == nil)
            sent.append(number)
          }
        }
        try await sent.first { $0 == 49 }
        #expect(sent.all == Array(0..<50))
        #expect(uart.received.map { String(decoding: $0, as: UTF8.self) } == (0..<50).map(String.init))
      }
    }

    @Loop @Test func `another program's write is waited for, a refusal is reported`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.faults["AcquireWrite"] = BlueZFault("org.bluez.Error.NotPermitted", "Write acquired")
        board.nextFaults["WriteValue"] = [
          BlueZFault("org.bluez.Error.InProgress", "In Progress"), .attribute(0x0E), .attribute(0x03),
          .attribute(0x06),
        ]
        let port = Port(radio, .address(board.address))
        try await port.up()
        #expect(await port.send("a").failure == .attributeError(0x0E))
        #expect(await port.send("b").failure == .notPermitted("Write not permitted"))
        #expect(await port.send("c").failure == .notSupported)
        #expect(await port.send("d").failure == nil)
        #expect(board.writes == [Array("d".utf8)])
      }
    }

    @Loop @Test func `what waits to be written when the board drops was not sent`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard())
        board.faults["AcquireWrite"] = BlueZFault("org.bluez.Error.NotSupported")
        let port = Port(radio, .address(board.address))
        try await port.up()
        let outcomes = Inbox<BlueZError?>("outcomes")
        for _ in 0..<300 { port.uart.send([1]) { outcomes.append($0.failure) } }
        #expect(outcomes.all == [BlueZError?](repeating: .queueFull, count: 44))
        board.drop()
        let reason = try await port.down(from: 1)
        #expect(reason == .dropped)
        #expect(outcomes.count == 300)
        #expect(outcomes.all.dropFirst(44).allSatisfy { $0 == .dropped || $0 == .notConnected })
      }
    }

    @Loop @Test func `a reader that pauses loses nothing`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let port = Port(radio, .address(board.address))
        try await port.up()
        port.uart.isReading = false
        for number in 0..<20 { uart.say("\(number)") }
        try await radio.settle()
        #expect(port.received.all == [])
        port.uart.isReading = true
        try await port.received.first { $0 == "19" }
        #expect(port.received.all == (0..<20).map(String.init))
      }
    }

    @Loop @Test func `fragments, garbage and empty notifications arrive as they are`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let port = Port(radio, .address(board.address))
        var bytes: [[UInt8]] = []
        port.uart.onReceive = { [received = port.received] in
          bytes.append($0)
          received.append("\(bytes.count)")
        }
        try await port.up()
        board.fragmentBytes = 3
        uart.say("abcdefgh")
        board.fragmentBytes = nil
        uart.say([])
        uart.say([0, 255, 254, 10])
        uart.say([UInt8](repeating: 7, count: 40))
        try await port.received.first { $0 == "5" }
        #expect(
          bytes == [
            Array("abc".utf8), Array("def".utf8), Array("gh".utf8), [0, 255, 254, 10],
            [UInt8](repeating: 7, count: 20),
          ])
      }
    }
  }
}
