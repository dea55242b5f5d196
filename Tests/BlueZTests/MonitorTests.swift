import BlueZ
import DBus
import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

extension BlueZTests {
  @Suite struct Monitors {
    init() { #expect(LoopThread.started) }

    private static let uuid = [UInt8](repeating: 0xAB, count: 16)
    private static let pattern = AdvertisementPattern(.manufacturerData, from: 2, uuid)

    /// A radio that offers monitors, one beacon that swings, and what is heard of it by who asks for its kind.
    @Loop private func withBeacon(
      rest: Duration = Radio.timing.rest,
      _ body:
        @Loop (Radio, SimulatedBoard, Inbox<Advertisement>, AdvertisementObservation) async throws -> Void
    ) async throws {
      var timing = Radio.timing
      timing.rest = rest
      try await Radio.with(timing: timing) { radio in
        radio.bluez.offersMonitors = true
        radio.bluez.stop()
        try await radio.bluez.start()
        let beacon = radio.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
        beacon.rssiSwing = 3
        let heard = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements(.matching([Self.pattern])) { heard.append($0) }
        try await body(radio, beacon, heard, observation)
        observation.cancel()
      }
    }

    @Loop @Test func `a beacon is heard while nothing scans, and its strength in short scans between`()
      async throws
    {
      try await withBeacon { radio, beacon, heard, observation in
        for _ in 0..<3 {
          await radio.until("a scan is over") {
            !radio.bluez.isDiscovering && radio.bluez.activeMonitors == 1
          }
          try await radio.settle()
          let scans = radio.bluez.discoveriesStarted
          let count = heard.count
          let silent = try await heard.first(from: count) { $0.rssiDBm == nil }
          #expect(silent.address == beacon.address)
          #expect(silent.manufacturerData == beacon.manufacturerData)
          #expect(!radio.bluez.isDiscovering || radio.bluez.discoveriesStarted > scans)
          await radio.until("a scan begins") { radio.bluez.discoveriesStarted > scans }
          try await heard.first(from: heard.count) { $0.rssiDBm != nil }
        }
        observation.cancel()
        await radio.until("nobody listens") { radio.bluez.activeMonitors == 0 && !radio.bluez.isDiscovering }
      }
    }

    @Loop @Test func `what nobody watches for is not told while nothing scans`() async throws {
      try await withBeacon(rest: .seconds(600)) { radio, beacon, heard, _ in
        await radio.until("it rests") { !radio.bluez.isDiscovering && radio.bluez.activeMonitors == 1 }
        try await radio.settle()
        let count = heard.count
        radio.bluez.addIBeacon(
          at: "40:00:00:00:00:02", uuid: [UInt8](repeating: 0xCD, count: 16), major: 1, minor: 2)
        try await heard.first(from: count + 50)
        #expect(heard.all.dropFirst(count).allSatisfy { $0.address == beacon.address })
        #expect(radio.bluez.discoveriesStarted == 1)
      }
    }

    @Loop @Test func `a beacon is heard while a board is being connected`() async throws {
      try await withBeacon { radio, beacon, heard, _ in
        let board = radio.board(RawUARTBoard())
        board.usualCourse = .hangs
        let port = Port(radio, .address(board.address))
        await radio.until("it connects") { board.connectCalls == 1 }
        try await radio.settle()
        let count = heard.count
        #expect(!radio.bluez.isDiscovering)
        try await heard.first(from: count + 2) { $0.address == beacon.address }
        #expect(board.connectCalls == 1)
        board.usualCourse = .normal
        try await port.up()
      }
    }

    @Loop @Test func `who wants to hear all has a scan all the time, and the monitors stay`() async throws {
      try await withBeacon { radio, _, _, _ in
        let other = radio.board(RawUARTBoard(name: "Other"))
        await radio.until("the monitor is there") { radio.bluez.activeMonitors == 1 }
        let all = Inbox<String>("addresses")
        let second = radio.central.observeAdvertisements { all.append($0.address) }
        await radio.until("it scans") { radio.bluez.isDiscovering }
        let scans = radio.bluez.discoveriesStarted
        // Longer than a scan for strengths.
        for _ in 0..<40 { try await all.first(from: all.count) { $0 == other.address } }
        #expect(radio.bluez.discoveriesStarted == scans)
        #expect(radio.bluez.activeMonitors == 1)
        second.cancel()
        await radio.until("it rests") { !radio.bluez.isDiscovering }
      }
    }

    @Loop @Test func `more patterns than there is room for: it scans all the time`() async throws {
      try await withBeacon { radio, beacon, heard, observation in
        await radio.until("it rests") { !radio.bluez.isDiscovering && radio.bluez.activeMonitors == 1 }
        let many = (0..<40).map { AdvertisementPattern(.manufacturerData, from: 2, [UInt8($0)]) }
        observation.interest = .matching(Set(many))
        await radio.until("it scans") { radio.bluez.isDiscovering && radio.bluez.activeMonitors == 0 }
        let scans = radio.bluez.discoveriesStarted
        for _ in 0..<40 { try await heard.first(from: heard.count) { $0.address == beacon.address } }
        #expect(radio.bluez.discoveriesStarted == scans)
        observation.interest = .matching([Self.pattern])
        await radio.until("it rests") { !radio.bluez.isDiscovering && radio.bluez.activeMonitors == 1 }
      }
    }

    @Loop @Test func `another program has the room: it scans all the time`() async throws {
      try await Radio.with { radio in
        radio.bluez.offersMonitors = true
        radio.bluez.stop()
        try await radio.bluez.start()
        let other = try await SecondClient.connect(to: radio.bus.address)
        let monitors = MonitorClient(other)
        #expect(await monitors.register(32) == "")
        await radio.until("they are granted") { radio.bluez.activeMonitors == 32 }
        let beacon = radio.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
        let heard = Inbox<Advertisement>("advertisements")
        let observation = radio.central.observeAdvertisements(.matching([Self.pattern])) { heard.append($0) }
        await radio.until("it scans") { radio.bluez.isDiscovering }
        let scans = radio.bluez.discoveriesStarted
        for _ in 0..<40 { try await heard.first(from: heard.count) { $0.address == beacon.address } }
        #expect(radio.bluez.discoveriesStarted == scans)
        observation.cancel()
        other.close()
      }
    }

    @Loop @Test
    func `bluetoothd restarts, the adapter is off and on, pulled out and put in: monitors are there again`()
      async throws
    {
      try await withBeacon { radio, beacon, heard, _ in
        func isHeardWithoutScan() async throws {
          await radio.until("it rests") { !radio.bluez.isDiscovering && radio.bluez.activeMonitors == 1 }
          try await radio.settle()
          try await heard.first(from: heard.count) { $0.rssiDBm == nil && $0.address == beacon.address }
        }
        try await isHeardWithoutScan()
        radio.bluez.kill()
        try await radio.bluez.start()
        try await isHeardWithoutScan()
        radio.bluez.powerOff()
        radio.bluez.powerOn()
        try await isHeardWithoutScan()
        radio.bluez.unplug()
        radio.bluez.plug(as: "hci1")
        try await isHeardWithoutScan()
      }
    }
  }
}

extension BlueZTests.Behaviour {
  private static let beacon = "/org/bluez/hci0/dev_40_00_00_00_00_01"

  /// As bluetoothd 5.66 was measured, with `--experimental`.
  @Loop @Test func `monitors`() async throws {
    try await Radio.with { radio in
      let client = try await SecondClient.connect(to: radio.bus.address)
      let monitors = MonitorClient(client)
      #expect(
        await monitors.register(1) == "org.freedesktop.DBus.Error.UnknownObject: no such object",
        "it is not offered")
      radio.bluez.offersMonitors = true
      let beacon = radio.bluez.addIBeacon(
        at: "40:00:00:00:00:01", uuid: [UInt8](repeating: 0xAB, count: 16), major: 1, minor: 2)
      _ = radio.board(RawUARTBoard(name: "Not watched for"))
      radio.bluez.filtersStrictly = true
      let strengths = Inbox<String>("strengths")
      let rule = MatchRule(path: ObjectPath(Self.beacon), member: "PropertiesChanged")
      let subscription = client.connection.subscribe(rule) { signal in
        if let changed = signal.arguments[1].properties { strengths.append(changed.keys.sorted().joined()) }
      }
      #expect(await monitors.register(1) == "")
      #expect(await monitors.register(1) == "org.bluez.Error.AlreadyExists: Already Exists")
      // Each advertisement, whatever the controller filters.
      #expect(try await monitors.told.first() == "Activate")
      for number in 1..<30 { #expect(try await monitors.told.first(from: number) == "DeviceFound") }
      let objects = try await client.objects()
      #expect(objects.filter { $0.contains("dev_") } == [Self.beacon])
      #expect(strengths.count == 0)
      // The strength by steps of 8 dB, and nothing else.
      beacon.rssiDBm -= 7
      try await monitors.told.first(from: monitors.told.count + 2)
      #expect(strengths.count == 0)
      beacon.rssiDBm -= 1
      #expect(try await strengths.first() == "RSSI")
      // In a discovery each one, with its strength and its data.
      _ = try await client.call("/org/bluez/hci0", "Adapter1", "StartDiscovery")
      for number in 1..<10 { #expect(try await strengths.first(from: number) == "ManufacturerDataRSSI") }
      _ = try await client.call("/org/bluez/hci0", "Adapter1", "StopDiscovery")
      // They outlast an adapter that is switched off and on.
      radio.bluez.powerOff()
      try await radio.settle()
      let count = monitors.told.count
      try await radio.settle()
      #expect(monitors.told.count == count)
      radio.bluez.powerOn()
      #expect(try await monitors.told.first(from: count) == "DeviceFound")
      #expect(await monitors.unregister() == "")
      #expect(await monitors.unregister() == "org.bluez.Error.DoesNotExist: Does Not Exist")
      subscription.cancel()
      client.close()
    }
  }

  @Loop @Test func `32 monitors are granted, of few and short patterns each`() async throws {
    try await Radio.with { radio in
      radio.bluez.offersMonitors = true
      for (count, patterns, granted) in [
        (40, [[0x02, 0x15]], 32), (1, [[UInt8]](repeating: [1], count: 5), 1),
        (1, [[UInt8]](repeating: [1], count: 8), 0), (1, [[UInt8](repeating: 0, count: 31)], 1),
        (1, [[UInt8](repeating: 0, count: 32)], 0),
      ] {
        let client = try await SecondClient.connect(to: radio.bus.address)
        let monitors = MonitorClient(client)
        #expect(await monitors.register(count, patterns: patterns) == "")
        try await monitors.told.first(from: count - 1)
        #expect(monitors.told.all.filter { $0 == "Activate" }.count == granted)
        #expect(monitors.told.all.filter { $0 == "Release" }.count == count - granted)
        client.close()
        await radio.until("they leave with their client") { radio.bluez.activeMonitors == 0 }
      }
    }
  }
}

/// Monitors of another program, and what it is told by them.
@Loop final class MonitorClient {
  let told = Inbox<String>("calls")
  private let client: SecondClient
  private var objects: [DBusValue.Entry] = []
  private static let path = ObjectPath("/app") ?? .root

  init(_ client: SecondClient) {
    self.client = client
    client.connection.export(at: Self.path) { [weak self] call in
      if call.member == "GetManagedObjects" {
        call.reply([.dictionary(key: "o", value: "a{sa{sv}}", self?.objects ?? [])])
      } else {
        self?.told.append(call.member)
      }
    }
  }

  /// So many monitors, each of so many patterns.
  func register(_ count: Int, patterns: [[UInt8]] = [[0x02, 0x15]]) async -> String {
    let value = DBusValue.array(
      of: "(yyay)", patterns.map { .structure([.byte(2), .byte(0xFF), .bytes($0)]) })
    objects = (0..<count).map { number in
      DBusValue.Entry(
        .objectPath(Self.path.appending("m\(number)") ?? .root),
        .dictionary(
          key: "s", value: "a{sv}",
          [
            .init(
              .string("org.bluez.AdvertisementMonitor1"),
              .properties(["Type": .string("or_patterns"), "Patterns": value]))
          ]))
    }
    return await call("RegisterMonitor")
  }

  func unregister() async -> String { await call("UnregisterMonitor") }

  private func call(_ member: String) async -> String {
    await client.refusal(
      "/org/bluez/hci0", "AdvertisementMonitorManager1", member, [.objectPath(Self.path)])
  }
}
