import DeviceModel
import HomeAssistant
import Testing

struct ComponentsFormTests {
  private let settings = DiscoverySettings.usual.with(form: .components)

  @Test func `an entity is one message that carries all it needs`() throws {
    let plug = try DiscoverableDevice.board(
      Property("power", name: "Power", .switch(deviceClass: "outlet"), verbs: [.set]))
    let discovery = Discovery(of: [plug], settings: settings)
    let expected: Value = [
      "unique_id": "sketch2mqtt_main_garden_plug_power", "name": "Power",
      "default_entity_id": "switch.garden_plug_power", "object_id": "garden_plug_power",
      "device_class": "outlet", "state_topic": "sketch2mqtt/garden_plug",
      "value_template": "{{ (value_json | default({})).get('power') }}",
      "command_topic": "sketch2mqtt/garden_plug/power/set",
      "availability": [
        ["topic": "sketch2mqtt/bridge/main/state"], ["topic": "sketch2mqtt/garden_plug/availability"],
      ],
      "availability_mode": "all",
      "qos": 1,
      "device": [
        "identifiers": ["sketch2mqtt_main_garden_plug"], "name": "Garden plug",
        "via_device": "sketch2mqtt_main_bridge",
      ],
      "origin": [
        "name": "sketch2mqtt", "sw_version": "1.2.3", "support_url": "https://example.org/sketch2mqtt",
      ],
    ]
    let message = try #require(discovery.messages.last)
    #expect(message.topic == "homeassistant/switch/sketch2mqtt_main_garden_plug/power/config")
    #expect(message.payload == expected)
  }

  @Test func `the bridge comes first, its own entities without availability`() throws {
    let plug = try DiscoverableDevice.board(Property("power", name: nil, .switch(), verbs: [.set]))
    let discovery = Discovery(of: [plug], settings: settings)
    #expect(
      discovery.messages.map(\.topic) == [
        "homeassistant/binary_sensor/sketch2mqtt_main_bridge/connection/config",
        "homeassistant/sensor/sketch2mqtt_main_bridge/version/config",
        "homeassistant/switch/sketch2mqtt_main_garden_plug/power/config",
      ])
    for message in discovery.messages.prefix(2) {
      #expect(try discovery.payload(message.topic)["availability"] == nil)
    }
  }

  @Test func `both forms have the same entities, keys and unique ids`() throws {
    let device = try DiscoverableDevice.everyKind()
    let one = try Discovery(of: [device], settings: .usual)
      .payload("homeassistant/device/sketch2mqtt_main_garage/config").members("components")
    let many = Discovery(of: [device], settings: settings)
    for (key, value) in one.pairs {
      guard case .object(let component) = value else { throw Missing(name: key) }
      let topic = "homeassistant/\(try component.text("platform"))/sketch2mqtt_main_garage/\(key)/config"
      let payload = try many.payload(topic)
      for same in ["unique_id", "name", "default_entity_id", "command_topic", "state_topic", "icon"] {
        #expect(payload[same] == component[same])
      }
    }
    #expect(many.messages.count == 2 + one.count)
  }

  /// Before 2024.11 these platforms did not take `None`: they warned, showed the word, or stayed as they were.
  @Test(arguments: [
    (PropertyKind.timestamp, "1970-01-01T00:00:00+00:00"), (.enumeration(["a", "b"]), ""),
    (.cover(canClose: true, canStop: true), ""), (.lock, "None"),
    (.sensor(.init(deviceClass: "date")), "1970-01-01"),
    (.sensor(.init(deviceClass: "uptime")), "1970-01-01T00:00:00+00:00"),
  ])
  func `an unknown value makes unavailable what old versions cannot show as unknown`(
    kind: PropertyKind, standIn: String
  ) throws {
    let plug = try DiscoverableDevice.board(Property("it", name: "It", kind, verbs: [.set]))
    let message = try #require(Discovery(of: [plug], settings: settings).messages.last)
    guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
    #expect(
      payload["availability"] == [
        ["topic": "sketch2mqtt/bridge/main/state"], ["topic": "sketch2mqtt/garden_plug/availability"],
        [
          "topic": "sketch2mqtt/garden_plug",
          "value_template":
            "{{ 'offline' if (value_json | default({})).get('it') is none else 'online' }}",
        ],
      ])
    #expect(payload["availability_mode"] == "all")
    #expect(
      payload["value_template"]
        == .text(
          "{% set known = (value_json | default({})).get('it') %}"
            + "{{ '\(standIn)' if known is none else known }}"))
  }

  @Test func `the same with bare values`() throws {
    var plug = try DiscoverableDevice.board(Property("it", name: "It", .timestamp))
    plug.output = .values
    let message = try #require(Discovery(of: [plug], settings: settings).messages.last)
    guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
    #expect(
      payload["value_template"] == "{{ '1970-01-01T00:00:00+00:00' if value == 'None' else value }}")
    #expect(
      payload["availability"] == [
        ["topic": "sketch2mqtt/bridge/main/state"], ["topic": "sketch2mqtt/garden_plug/availability"],
        [
          "topic": "sketch2mqtt/garden_plug/it",
          "value_template": "{{ 'offline' if value == 'None' else 'online' }}",
        ],
      ])
  }

  @Test func `a text is cut also then`() throws {
    let plug = try DiscoverableDevice.board(Property("it", name: "It", .sensor()))
    let message = try #require(Discovery(of: [plug], settings: settings).messages.last)
    guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
    #expect(
      payload["value_template"]
        == .text(
          "{% set known = (value_json | default({})).get('it') %}"
            + "{{ '' if known is none else (known | string)[:255] }}"))
  }

  @Test func `what old versions do not know is not sent to them`() throws {
    let board = try DiscoverableDevice.board(Property("it", name: "It", .enumeration(["a", "b"])))
    let message = try #require(Discovery(of: [board], settings: settings).messages.last)
    guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
    #expect(payload["device_class"] == "enum")
    #expect(payload["options"] == nil)
  }

  @Test(arguments: [
    ("temperature", "°C", true), ("power", "kW", true), ("power", "mW", false), ("current", "μA", false),
    ("conductivity", "mS/cm", false), ("pm25", "μg/m³", true), ("duration", "µs", false),
    ("monetary", "EUR", true),
  ])
  func `a class or unit that came after 2024.3 is shown without its class`(
    deviceClass: String, unit: String, isOld: Bool
  ) throws {
    let measurement = PropertyKind.Measurement(unit: unit, deviceClass: deviceClass)
    for kind in [PropertyKind.sensor(measurement), .number(.init(0...1), measurement)] {
      let board = try DiscoverableDevice.board(Property("it", name: "It", kind, verbs: [.set]))
      let message = try #require(Discovery(of: [board], settings: settings).messages.last)
      guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
      #expect(payload["device_class"] == (isOld ? .text(deviceClass) : nil))
      #expect(payload["unit_of_measurement"] != nil)
      let new = try Discovery(of: [board], settings: .usual).component("it")
      #expect(new["device_class"] == .text(deviceClass))
    }
  }

  @Test func `a binary sensor's class that came after 2024.3 is left out`() throws {
    for (name, isOld) in [("glass_break", false), ("door", true)] {
      let board = try DiscoverableDevice.board(
        Property("it", name: "It", .binarySensor(deviceClass: name)))
      let message = try #require(Discovery(of: [board], settings: settings).messages.last)
      guard case .object(let payload)? = message.payload else { throw Missing(name: message.topic) }
      #expect(payload["device_class"] == (isOld ? .text(name) : nil))
    }
  }

  @Test func `another prefix, base topic and bridge name are followed everywhere`() throws {
    var settings = settings
    settings.prefix = "ha/found"
    settings.base = "home/boards"
    settings.bridge = "cellar"
    let plug = try DiscoverableDevice.board(Property("power", name: nil, .switch(), verbs: [.set]))
    let discovery = Discovery(of: [plug], settings: settings)
    let payload = try discovery.payload("ha/found/switch/sketch2mqtt_cellar_garden_plug/power/config")
    #expect(payload["state_topic"] == "home/boards/garden_plug")
    #expect(payload["command_topic"] == "home/boards/garden_plug/power/set")
    #expect(
      payload["availability"] == [
        ["topic": "home/boards/bridge/cellar/state"], ["topic": "home/boards/garden_plug/availability"],
      ])
    #expect(payload["unique_id"] == "sketch2mqtt_cellar_garden_plug_power")
  }
}
