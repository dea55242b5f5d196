import BlueZ
import DBus
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Life {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `bluetoothd may be killed and started again`() async throws {
      try await Radio.with { radio in
        let uart = RawUARTBoard()
        let board = radio.board(uart)
        let port = Port(radio, .address(board.address))
        try await port.up()
        for (round, isKilled) in [true, false, true].enumerated() {
          var seen = port.events.count
          if isKilled { radio.bluez.kill() } else { radio.bluez.stop() }
          let expected: Set<BlueZError> =
            isKilled
            ? [.serviceNotRunning] : [.dropped, .boardRemoved, .noAdapter(wanted: nil), .serviceNotRunning]
          let reason = try #require(try await port.down(from: seen))
          #expect(expected.contains(reason))
          try await radio.statuses.first(from: 0) { $0.problem == .serviceNotRunning }
          seen = port.events.count
          try await radio.bluez.start()
          try await port.up(from: seen)
          uart.say("\(round)")
          try await port.received.first { $0 == "\(round)" }
        }
        #expect(port.received.all == ["0", "1", "2"])
      }
    }

    @Loop @Test func `an adapter that is switched off and on is waited for`() async throws {
      try await Radio.with(adapter: "hci0") { radio in
        let board = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        try await port.up()
        let seen = port.events.count
        radio.bluez.powerOff()
        try await radio.statuses.first { $0.adapter == .poweredOff && $0.problem == .adapterOff("hci0") }
        let down = try #require(try await port.down(from: seen))
        #expect([.dropped, .adapterOff("hci0")].contains(down))
        #expect(port.uart.obstacle == .adapterOff("hci0"))
        radio.bluez.powerOn()
        try await port.up(from: seen)
        #expect(radio.central.status.problem == nil)
      }
    }

    @Loop @Test(arguments: ["hci0", "00:1a:7d:da:71:01", nil])
    func `an adapter that comes back under another name is the same`(adapter: String?) async throws {
      try await Radio.with(adapter: adapter) { radio in
        let board = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        try await port.up()
        let seen = port.events.count
        radio.bluez.unplug()
        try await radio.statuses.first { $0.adapter == .absent && $0.problem == .noAdapter(wanted: adapter) }
        radio.bluez.plug(as: "hci1")
        try await port.up(from: seen)
        #expect(radio.central.status.name == "hci1")
      }
    }

    @Loop @Test func `an adapter that is not there is missed by its name`() async throws {
      try await Radio.with(adapter: "hci7") { radio in
        let board = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        try await radio.statuses.first { $0.problem == .noAdapter(wanted: "hci7") }
        let reason = try await port.down()
        #expect(reason == .noAdapter(wanted: "hci7"))
        #expect("\(BlueZError.noAdapter(wanted: "hci7"))" == "the Bluetooth adapter hci7 is not there")
        #expect(board.connectCalls == 0)
      }
    }

    @Loop @Test func `a bus that ends takes nothing else with it`() async throws {
      let bus = try await PrivateBus.start()
      var settings = BluetoothSettings(bus: bus.address)
      settings.busBackOff = BackOff(first: .milliseconds(20), longest: .milliseconds(50))
      let central = BluetoothCentral(settings)
      let statuses = Inbox<BluetoothStatus>("status")
      central.onStatusChange = { statuses.append($0) }
      central.start()
      try await statuses.first { $0.problem == .serviceNotRunning && $0.adapter == .unknown }
      await bus.stop()
      let last = try await statuses.first { if case .busMissing? = $0.problem { true } else { false } }
      #expect(last.adapter == .unknown)
      await central.stop()
    }

    @Loop @Test func `a bus that is not there is said in words, and a port opened on it hears of it`()
      async throws
    {
      let central = BluetoothCentral(BluetoothSettings(bus: "unix:path=/nonexistent/bus"))
      let statuses = Inbox<BluetoothStatus>("status")
      central.onStatusChange = { statuses.append($0) }
      central.start()
      let status = try await statuses.first { $0.problem != nil }
      #expect(
        status.problem.map { "\($0)" }?.hasPrefix("no D-Bus: Failed to connect to socket /nonexistent/bus")
          == true)
      let uart = central.uart(.name("UART"))
      let failures = Inbox<BlueZError>("failures")
      uart.onStateChange = { if case .down(let error) = $0 { failures.append(error) } }
      uart.open()
      #expect(try await failures.first() == status.problem)
      await central.stop()
    }

    @Loop @Test func `a refusal of bluetoothd is no missing one`() async throws {
      try await Radio.with { radio in
        radio.bluez.stop()
        radio.bluez.nextFaults["GetManagedObjects"] = [
          BlueZFault("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message")
        ]
        try await radio.bluez.start()
        let status = try await radio.statuses.first { $0.adapter == .unauthorized }
        #expect(status.problem == .accessDenied("Rejected send message"))
      }
    }

    @Loop @Test func `a scan that runs already counts as running`() async throws {
      try await Radio.with { radio in
        radio.bluez.nextFaults["StartDiscovery"] = [BlueZFault("org.bluez.Error.InProgress", "In Progress")]
        radio.bluez.nextFaults["StopDiscovery"] = [.failed("No discovery started")]
        let other = try await SecondClient.connect(to: radio.bus.address)
        #expect(
          await other.refusal("/org/bluez/hci0", "Adapter1", "StartDiscovery")
            == "org.bluez.Error.InProgress: In Progress")
        #expect(await other.refusal("/org/bluez/hci0", "Adapter1", "StartDiscovery") == "")
        radio.bluez.nextFaults["StartDiscovery"] = [BlueZFault("org.bluez.Error.InProgress", "In Progress")]
        let board = radio.board(RawUARTBoard())
        let port = Port(radio, .address(board.address))
        try await port.up()
        other.close()
      }
    }

    @Loop @Test func `a scan that is refused is tried again`() async throws {
      try await Radio.with { radio in
        radio.bluez.nextFaults["StartDiscovery"] = [
          BlueZFault("org.bluez.Error.NotReady", "Resource Not Ready"), .failed("Operation not supported"),
        ]
        let board = radio.board(RawUARTBoard())
        try await Port(radio, .address(board.address)).up()
      }
    }

    @Loop @Test func `stopping leaves every board and ends the scan`() async throws {
      let bus = try await PrivateBus.start()
      let bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 20))
      try await bluez.start()
      let board = bluez.add(RawUARTBoard(), at: "C0:DE:00:00:00:01")
      let central = BluetoothCentral(BluetoothSettings(bus: bus.address))
      central.start()
      let uart = central.uart(.address(board.address))
      let missing = central.uart(.name("nobody"))
      let ups = Inbox<Int>("up")
      uart.onStateChange = { if case .up(let maximum) = $0 { ups.append(maximum) } }
      uart.open()
      missing.open()
      try await ups.first()
      await central.stop()
      #expect(!board.isConnected)
      #expect(!bluez.isDiscovering)
      bluez.stop()
      await bus.stop()
    }
  }
}
