import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  /// The simulated BlueZ against what the real one was measured to do, past the central.
  @Suite struct Behaviour {
    init() { #expect(LoopThread.started) }

    private static let adapter = "/org/bluez/hci0"
    private static let device = "/org/bluez/hci0/dev_C0_DE_00_00_00_01"
    private static let write = device + "/service000a/char000b"
    private static let notify = device + "/service000a/char000d"
    private static let options: [DBusValue] = [.properties([:])]

    /// A board that another program has found and, where asked, connected.
    @Loop private func withBoard(
      connected: Bool = true,
      _ body: @Loop (SecondClient, SimulatedBoard, RawUARTBoard, Radio) async throws -> Void
    ) async throws {
      try await Radio.with { radio in
        let peripheral = RawUARTBoard()
        let board = radio.board(peripheral)
        let client = try await SecondClient.connect(to: radio.bus.address)
        _ = try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
        while try await !client.objects().contains(Self.device) {}
        _ = try await client.call(Self.adapter, "Adapter1", "StopDiscovery")
        if connected {
          _ = try await client.call(Self.device, "Device1", "Connect")
          while try await !client.objects().contains(Self.notify) {}
        }
        try await body(client, board, peripheral, radio)
        client.close()
      }
    }

    @Loop private func property(_ name: String, _ client: SecondClient) async -> DBusValue? {
      try? await client.connection.property(
        name, of: "org.bluez.Device1", at: ObjectPath(Self.device) ?? .root, of: "org.bluez")
    }

    @Loop @Test func `scanning`() async throws {
      try await withBoard(connected: false) { client, board, _, radio in
        func adapter(_ member: String) async -> String {
          await client.refusal(Self.adapter, "Adapter1", member)
        }
        #expect(await adapter("StopDiscovery") == "org.bluez.Error.Failed: No discovery started")
        #expect(await property("RSSI", client) == nil)
        #expect(await adapter("StartDiscovery") == "")
        #expect(await adapter("StartDiscovery") == "org.bluez.Error.InProgress: In Progress")
        while await property("RSSI", client) == nil {}
        board.isConnectable = false
        #expect(await adapter("StopDiscovery") == "")
        // A beacon's object is gone with the scan.
        let objects = try await client.objects()
        #expect(!objects.contains(Self.device))
        radio.bluez.powerOff()
        #expect(await adapter("StartDiscovery") == "org.bluez.Error.NotReady: Resource Not Ready")
      }
    }

    @Loop @Test func `an idle board is forgotten after a while, one once connected is not`() async throws {
      try await withBoard(connected: false) { client, _, _, radio in
        radio.bluez.timing.idleRemoval = .milliseconds(20)
        _ = try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
        _ = try await client.call(Self.adapter, "Adapter1", "StopDiscovery")
        while try await client.objects().contains(Self.device) {}
      }
      try await withBoard { client, board, _, radio in
        board.drop()
        radio.bluez.stop()
        try await radio.bluez.start()
        let objects = try await client.objects()
        #expect(objects.contains(Self.device))
        #expect(!objects.contains(Self.notify))
        #expect(await property("RSSI", client) == nil)
        #expect(await property("Connected", client) == .boolean(false))
      }
    }

    @Loop @Test func `connecting`() async throws {
      try await withBoard(connected: false) { client, board, _, radio in
        func connect(deadline: Duration = .seconds(10)) async -> String {
          await client.refusal(Self.device, "Device1", "Connect", deadline: deadline)
        }
        board.nextCourses = [.slow(.milliseconds(50))]
        async let first = connect()
        await radio.until("it connects") { board.connectCalls == 1 }
        #expect(await connect() == "org.bluez.Error.Failed: Operation already in progress")
        #expect(await first == "")
        #expect(await connect() == "")
        board.drop()
        board.nextCourses = [.hangs]
        async let canceled = connect()
        await radio.until("it connects") { board.connectCalls == 4 }
        #expect(await client.refusal(Self.device, "Device1", "Disconnect") == "")
        #expect(await canceled == "org.bluez.Error.Failed: br-connection-canceled")
        board.isAdvertising = false
        #expect(await connect() == "org.bluez.Error.Failed: le-connection-abort-by-local")
        board.isAdvertising = true
        board.nextCourses = [.dropsAtOnce, .unanswered]
        #expect(await connect() == "")
        #expect(await property("Connected", client) == .boolean(false))
        #expect(await connect() == "org.bluez.Error.Failed: le-connection-abort-by-local")
        #expect(await connect() == "org.freedesktop.DBus.Error.UnknownObject: no such object")
        radio.bluez.powerOff()
      }
      try await withBoard(connected: false) { client, _, _, radio in
        radio.bluez.powerOff()
        #expect(
          await client.refusal(Self.device, "Device1", "Connect")
            == "org.bluez.Error.Failed: Input/output error")
      }
    }

    @Loop @Test func `a board removed while it connects gives no answer at all`() async throws {
      try await withBoard(connected: false) { client, board, _, radio in
        board.nextCourses = [.hangs]
        async let connect = client.refusal(Self.device, "Device1", "Connect", deadline: .milliseconds(200))
        await radio.until("it connects") { board.connectCalls == 1 }
        let path = DBusValue.objectPath(ObjectPath(Self.device) ?? .root)
        #expect(await client.refusal(Self.adapter, "Adapter1", "RemoveDevice", [path]) == "")
        #expect(await connect == "no answer in time")
        #expect(
          await client.refusal(Self.adapter, "Adapter1", "RemoveDevice", [path])
            == "org.bluez.Error.DoesNotExist: Does Not Exist")
      }
    }

    @Loop @Test func `connecting while scanning is slow with strict filtering`() async throws {
      try await withBoard(connected: false) { client, _, _, radio in
        radio.bluez.filtersStrictly = true
        radio.bluez.timing.connectWhileScanning = .seconds(60)
        _ = try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
        #expect(
          await client.refusal(Self.device, "Device1", "Connect", deadline: .milliseconds(100))
            == "no answer in time")
      }
    }

    @Loop @Test func `writing`() async throws {
      try await withBoard { client, board, peripheral, _ in
        func write(_ bytes: Int, type: String? = nil) async -> String {
          let options = type.map { ["type": DBusValue.string($0)] } ?? [:]
          return await client.refusal(
            Self.write, "GattCharacteristic1", "WriteValue",
            [.bytes([UInt8](repeating: 1, count: bytes)), .properties(options)])
        }
        #expect(await write(20) == "")
        #expect(await write(512) == "")  // a long write
        #expect(await write(513) == "org.bluez.Error.InvalidArguments: Invalid Length")
        #expect(await write(20, type: "command") == "")
        #expect(await write(21, type: "command") == "org.bluez.Error.Failed: Failed to initiate write")
        async let first = write(1)
        async let second = write(1)
        #expect(Set(await [first, second]) == ["", "org.bluez.Error.InProgress: In Progress"])
        #expect(peripheral.received.map(\.count) == [20, 512, 20, 1])
        let acquired = try await client.call(Self.write, "GattCharacteristic1", "AcquireWrite", Self.options)
        #expect(acquired.last == .uint16(23))
        #expect(await write(1) == "org.bluez.Error.NotPermitted: Write acquired")
        board.drop()
        #expect(await write(1) == "org.bluez.Error.Failed: Not connected")
      }
    }

    @Loop @Test func `subscribing`() async throws {
      try await withBoard { client, board, peripheral, radio in
        func call(_ member: String, _ path: String = Self.notify) async -> String {
          await client.refusal(
            path, "GattCharacteristic1", member, member.hasPrefix("Acquire") ? Self.options : [])
        }
        #expect(
          await call("StartNotify", Self.write) == "org.bluez.Error.NotSupported: Operation is not supported")
        #expect(await call("StartNotify") == "")
        #expect(await call("StartNotify") == "")
        #expect(await call("AcquireNotify") == "org.bluez.Error.InProgress: In Progress")
        board.drop()
        #expect(await call("StartNotify") == "org.bluez.Error.InProgress: In Progress")
        // The objects stay, and BlueZ subscribes again by itself.
        let objects = try await client.objects()
        #expect(objects.contains(Self.notify))
        _ = try await client.call(Self.device, "Device1", "Connect")
        #expect(board.isSubscribed)
        let heard = Inbox<[UInt8]>("values")
        let rule = MatchRule(path: ObjectPath(Self.notify), member: "PropertiesChanged")
        let subscription = client.connection.subscribe(rule) { signal in
          if let bytes = signal.arguments[1].properties?["Value"]?.bytes { heard.append(bytes) }
        }
        try await radio.settle()
        _ = try await client.objects()
        peripheral.say("before StartNotify")
        try await heard.first()
        // Each value comes once for each client that is subscribed.
        let other = try await SecondClient.connect(to: radio.bus.address)
        _ = try await other.call(Self.notify, "GattCharacteristic1", "StartNotify")
        let count = heard.count
        peripheral.say("to two")
        try await heard.first(from: count + 1)
        _ = try await client.objects()
        #expect(heard.count == count + 2)
        other.close()
        subscription.cancel()
        client.close()
        await radio.until("a client that leaves ends its subscription") { !board.isSubscribed }
      }
    }

    @Loop @Test func `ends come in one signal or in two`() async throws {
      try await withBoard { client, board, _, _ in
        let heard = Inbox<[String]>("changes")
        let subscription = client.connection.subscribe(
          MatchRule(path: ObjectPath(Self.device), member: "PropertiesChanged")
        ) { signal in
          let names = (signal.arguments[1].properties ?? [:]).keys.sorted()
          if names.contains("Connected") || names.contains("ServicesResolved") { heard.append(names) }
        }
        _ = try await client.objects()
        board.drop()
        try await heard.first()
        _ = try await client.call(Self.device, "Device1", "Connect")
        try await heard.first(from: 2) { $0 == ["ServicesResolved"] }
        _ = try await client.call(Self.device, "Device1", "Disconnect")
        try await heard.first(from: 4)
        #expect(
          heard.all == [
            ["Connected", "ServicesResolved"], ["Connected"], ["ServicesResolved"], ["ServicesResolved"],
            ["Connected"],
          ])
        subscription.cancel()
      }
    }

    @Loop @Test func `bluetoothctl finds, connects and reads the board`() async throws {
      try await Radio.with { radio in
        let board = radio.board(RawUARTBoard(name: "Pet door"))
        let environment = [
          "DBUS_SYSTEM_BUS_ADDRESS": radio.bus.address, "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
        ]
        func bluetoothctl(_ words: String...) async throws -> String {
          try await Program.run(
            "/usr/bin/bluetoothctl", ["--timeout", "1"] + words, environment: environment,
            deadline: .seconds(20)
          ).output
        }
        let show = try await bluetoothctl("show")
        #expect(show.contains("Powered: yes"))
        let scan = try await bluetoothctl("scan", "on")
        #expect(scan.contains("Device \(board.address) Pet door"))
        let connect = try await bluetoothctl("connect", board.address)
        #expect(connect.contains("Connection successful"))
        await radio.until("it is connected") { board.isConnected }
        let information = try await bluetoothctl("info", board.address)
        #expect(information.contains("Connected: yes"))
        #expect(information.contains("Nordic UART Service"))
        _ = try await bluetoothctl("power", "off")
        #expect(!radio.bluez.isPowered && !board.isConnected)
      }
    }
  }
}
