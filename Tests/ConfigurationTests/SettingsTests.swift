import Configuration
import DeviceModel
import Foundation
import Testing

struct `A right configuration` {
  @Test func `the example is right, also with every commented key`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../examples/sketch2mqtt.yaml")
    let (configuration, problems) = Configuration.load(path: file.path, kinds: kinds)
    #expect(problems.map(\.description) == [])
    #expect(configuration?.devices.map(\.id.text) == ["garden_plug"])

    // Some keys stand for others, and some files are not there.
    let left = ["# servers:", "# ca:", "# certificate:", "# key:", "# password:", "# service: {"]
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !left.contains { line.contains($0) } }
      .map { $0.replacing(/^( *)# ( *(- )?[a-z_]+:)/) { $0.1 + $0.2 } }
    let all = try Self.check(lines.joined(separator: "\n"))
    #expect(all.devices.map(\.kind) == ["power_plug", "pet_door", "rover", "uart", "drone", "tv_volume"])
    #expect(all.devices[0].filters["drift"].minimumInterval == .seconds(3600))
  }

  private static func check(_ text: String) throws -> Configuration { try configuration(text) }

  @Test func `every key of the schema is in the example`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../examples/sketch2mqtt.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    for row in Configuration.schema.markdownTable.split(separator: "\n").dropFirst(2) {
      let path = row.split(separator: "`")[1]
      let key = path.split(whereSeparator: { ".[]<>".contains($0) }).last ?? ""
      #expect(text.contains("\(key):"), "\(path)")
    }
  }

  @Test func `little is enough`() throws {
    let configuration = try configuration("mqtt:\n")
    #expect(configuration.mqtt.servers.map(\.description) == ["mqtt://localhost:1883"])
    #expect(configuration.mqtt.baseTopic == "sketch2mqtt")
    #expect(configuration.mqtt.bridge == "main")
    #expect(configuration.mqtt.version == nil)
    #expect(configuration.mqtt.keepAlive == .seconds(30))
    #expect(configuration.mqtt.queueLimit == 1000)
    #expect(configuration.homeAssistant.discovery == .device)
    #expect(configuration.homeAssistant.prefix == "homeassistant")
    #expect(configuration.homeAssistant.statusTopic == "homeassistant/status")
    #expect(configuration.bluetooth == Self.untouched)
    #expect(configuration.output == .json)
    #expect(configuration.accept == .off)
    #expect(configuration.logLevel == .info)
    #expect(configuration.devices.isEmpty)
  }

  private static var untouched: Configuration.Bluetooth? { read("devices: []").configuration?.bluetooth }

  @Test func `the general settings are read`() throws {
    let configuration = try configuration(
      """
      mqtt:
        servers: [mqtts://a.lan, "mqtt://[::1]:1884/", c]
        username: me
        password: !env PASSWORD
        base_topic: home/bridge
        bridge: attic
        client_id: x-1
        version: 3.1.1
        keep_alive: 1m
        queue: 50
      homeassistant: { discovery: components, prefix: ha, status_topic: ha/birth }
      bluetooth: { adapter: c0:de:00:00:00:01, bus: "unix:path=/run/x" }
      output: both
      accept: [C0DE00000002, "shed.lan:2323", /dev/serial/by-id/usb-1]
      log_level: debug
      """, environment: ["PASSWORD": "0123"])
    #expect(
      configuration.mqtt.servers.map(\.description) == [
        "mqtts://a.lan:8883", "mqtt://[::1]:1884", "mqtt://c:1883",
      ])
    #expect(configuration.mqtt.servers.map(\.isSecure) == [true, false, false])
    #expect(configuration.mqtt.username == "me")
    #expect(configuration.mqtt.password?.reveal() == "0123")
    #expect(configuration.mqtt.baseTopic == "home/bridge")
    #expect(configuration.mqtt.bridge == "attic")
    #expect(configuration.mqtt.clientID == "x-1")
    #expect(configuration.mqtt.version == .v311)
    #expect(configuration.mqtt.keepAlive == .seconds(60))
    #expect(configuration.mqtt.queueLimit == 50)
    #expect(configuration.homeAssistant.discovery == .components)
    #expect(configuration.homeAssistant.statusTopic == "ha/birth")
    #expect(configuration.bluetooth.adapter == .address(BluetoothAddress(bits: 0xC0DE_0000_0001)))
    #expect(configuration.bluetooth.bus == "unix:path=/run/x")
    #expect(configuration.output == .both)
    #expect(
      configuration.accept
        == .only([
          .ble(BluetoothAddress(bits: 0xC0DE_0000_0002)), .tcp(try #require(HostPort("shed.lan:2323"))),
          .serial("/dev/serial/by-id/usb-1"),
        ]))
    #expect(configuration.logLevel == .debug)
  }

  @Test func `off is a word and no boolean`() throws {
    let configuration = try configuration("homeassistant: { discovery: off }\naccept: off")
    #expect(configuration.homeAssistant.discovery == .off)
    #expect(configuration.accept == .off)
    #expect(try Self.check("accept: all").accept == .all)
  }

  @Test func `a password is in no description of the settings`() throws {
    let configuration = try configuration(
      """
      mqtt: { username: me, password: geheim1 }
      devices:
        - { name: Garage, kind: garage_door, link: { ble_name: G }, options: { persons: [{ name: Anna, pin: 01234 }] } }
      """)
    var dumped = "\(configuration)"
    dump(configuration, to: &dumped)
    #expect(!dumped.contains("geheim1"))
    #expect(!dumped.contains("01234"))
    #expect(configuration.devices[0].options.objects("persons")[0].secret("pin")?.reveal() == "01234")
  }

  @Test func `two files that mean the same are equal`() throws {
    let one = try configuration(
      "output: json\ndevices:\n  - { name: A, kind: power_plug, link: { tcp: \"a:1\" } }")
    let other = try configuration(
      "devices:\n\n  - kind: power_plug\n    name: 'A'\n    link:\n      tcp: a:1\n    options: { slots: 10 }"
    )
    let different = try configuration("devices:\n  - { name: A, kind: power_plug, link: { tcp: \"a:2\" } }")
    #expect(one == other)
    #expect(one != different)
  }
}

struct `A right device` {
  private func device(_ text: String) throws -> Configuration.Device {
    try #require(try configuration("devices:\n  - { name: X, \(text) }").devices.first)
  }

  private func link(_ text: String) throws -> Configuration.Link {
    try #require(try device("kind: uart, link: { \(text) }").links.first)
  }

  @Test func `its name stays untouched and its slug is the topic`() throws {
    let configuration = try configuration(
      """
      devices:
        - { name: "Tür «groß» 🐈", kind: pet_door, link: { ble_name: UART } }
        - { name: "🐈", id: cat, kind: pet_door, link: { ble_name: UART2 } }
      """)
    #expect(configuration.devices.map(\.name) == ["Tür «groß» 🐈", "🐈"])
    #expect(configuration.devices.map(\.id.text) == ["tur_gross", "cat"])
  }

  @Test func `a link leads to its target`() throws {
    let one = BluetoothAddress(bits: 0xC0DE_0000_0001)
    #expect(try link("tcp: \"a:1\"").target == .tcp(try #require(HostPort("a:1"))))
    #expect(try link("udp: \"[::1]:1\"").target == .udp(try #require(HostPort("[::1]:1"))))
    #expect(try link("serial: /dev/ttyACM0").target == .serial(.init(path: "/dev/ttyACM0")))
    #expect(
      try link("serial: /dev/ttyACM0, baud: 9600").target == .serial(.init(path: "/dev/ttyACM0", baud: 9600)))
    #expect(
      try link("serial: /dev/ttyACM0, resets: true").target
        == .serial(.init(path: "/dev/ttyACM0", resets: true, bootTime: .seconds(2))))
    #expect(
      try link("serial: /dev/ttyACM0, boot: 500ms").target
        == .serial(.init(path: "/dev/ttyACM0", bootTime: .milliseconds(500))))
    #expect(try link("ble: c0:de:00:00:00:01").target == .ble(.address(one), .nus))
    #expect(try link("ble: c0:de:00:00:00:01, service: hm10").target == .ble(.address(one), .hm10))
    #expect(
      try link(
        "ble_name: UART, service: { service: FFE0, write: ffe1, notify: 0000FFE1-0000-1000-8000-00805F9B34FB }"
      ).target
        == .ble(.name("UART"), .hm10))
    #expect(UARTService.nus.service.description == "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
    #expect(UARTService.hm10.notify.description == "0000ffe1-0000-1000-8000-00805f9b34fb")
  }

  @Test func `the session is the kind's unless another is written`() throws {
    #expect(try link("tcp: \"a:1\"").session == .held)
    #expect(try link("tcp: \"a:1\", session: on_demand").session == .onDemand)
    #expect(try link("tcp: \"a:1\", session: polled").session == .polled(every: .seconds(10)))
    #expect(try link("tcp: \"a:1\", session: polled, poll: 5m").session == .polled(every: .seconds(300)))
    #expect(try link("tcp: \"a:1\", poll: 1s").session == .polled(every: .seconds(1)))
    #expect(
      try device("kind: power_plug, link: { tcp: \"a:1\" }").links[0].session == .polled(every: .seconds(20)))
    #expect(try device("kind: power_plug, link: { tcp: \"a:1\", session: held }").links[0].session == .held)
    #expect(
      try device("kind: power_plug, link: { tcp: \"a:1\", session: polled }").links[0].session
        == .polled(every: .seconds(20)))
    #expect(try link("tcp: \"a:1\", connect_timeout: 2s").connectTimeout == .seconds(2))
    #expect(try link("tcp: \"a:1\"").connectTimeout == .seconds(10))
  }

  @Test func `links by role come with the primary one first`() throws {
    let links = try device(
      "kind: tv_volume, links: { microphone: { capture: [arecord, -q, \"\\n\"] }, board: { ble_name: TV } }"
    ).links
    #expect(links.map(\.role) == [.board, "microphone"])
    #expect(links[1].target == .capture(["arecord", "-q", "\n"]))
    #expect(try device("kind: tv_volume, link: { ble_name: TV }").links.map(\.role) == [.board])
    #expect(try device("kind: beacon").links.isEmpty)
  }

  @Test func `options are those of its kind`() throws {
    #expect(
      try device("kind: power_plug, link: { tcp: \"a:1\" }, options: { slots: 12 }").options.integer("slots")
        == 12)
    #expect(try device("kind: power_plug, link: { tcp: \"a:1\" }, options:").options.integer("slots") == 10)
  }

  @Test func `extras are off unless asked for`() throws {
    let plain = try device("kind: beacon")
    #expect([plain.showsLastSeen, plain.showsRSSI, plain.showsReconnects] == [false, false, false])
    #expect(plain.area == nil && plain.icon == nil && plain.filters == .none)
    let rich = try device(
      """
      kind: beacon, area: Küche, icon: mdi:paw, last_seen: yes, rssi: on, reconnects: true,
        filters: { minimum_change: 0.5, minimum_interval: 10s, properties: { distance: { minimum_change: 2 } } }
      """)
    #expect([rich.showsLastSeen, rich.showsRSSI, rich.showsReconnects] == [true, true, true])
    #expect(rich.area == "Küche" && rich.icon == "mdi:paw")
    #expect(rich.filters["rssi"] == .init(minimumChange: 0.5, minimumInterval: .seconds(10)))
    #expect(rich.filters["distance"] == .init(minimumChange: 2, minimumInterval: .seconds(10)))
  }
}
