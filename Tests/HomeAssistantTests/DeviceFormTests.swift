import DeviceModel
import HomeAssistant
import Testing

struct DeviceFormTests {
  @Test func `a plug is one message with its device, origin, availability and components`() throws {
    var plug = try DiscoverableDevice.board(
      Property("power", name: nil, .switch(deviceClass: "outlet"), verbs: [.set], icon: "mdi:power-plug"),
      Property("next_switch", name: "Next switch", .timestamp))
    plug.description.manufacturer = "Arduino"
    plug.description.model = "Power plug"
    plug.description.softwareVersion = "2.1"
    plug.area = "Garden"
    let discovery = Discovery(of: [plug], settings: .usual)
    #expect(discovery.problems.isEmpty)
    #expect(discovery.messages.count == 2)
    let expected: Value = [
      "device": [
        "identifiers": ["sketch2mqtt_main_garden_plug"], "name": "Garden plug", "manufacturer": "Arduino",
        "model": "Power plug", "sw_version": "2.1", "via_device": "sketch2mqtt_main_bridge",
        "suggested_area": "Garden",
      ],
      "origin": [
        "name": "sketch2mqtt", "sw_version": "1.2.3", "support_url": "https://example.org/sketch2mqtt",
      ],
      "availability": [
        ["topic": "sketch2mqtt/bridge/main/state"], ["topic": "sketch2mqtt/garden_plug/availability"],
      ],
      "availability_mode": "all",
      "qos": 1,
      "components": [
        "power": [
          "platform": "switch", "unique_id": "sketch2mqtt_main_garden_plug_power", "name": nil,
          "default_entity_id": "switch.garden_plug", "icon": "mdi:power-plug", "device_class": "outlet",
          "state_topic": "sketch2mqtt/garden_plug",
          "value_template": "{{ (value_json | default({})).get('power') }}",
          "command_topic": "sketch2mqtt/garden_plug/power/set",
        ],
        "next_switch": [
          "platform": "sensor", "unique_id": "sketch2mqtt_main_garden_plug_next_switch",
          "name": "Next switch", "default_entity_id": "sensor.garden_plug_next_switch",
          "device_class": "timestamp", "state_topic": "sketch2mqtt/garden_plug",
          "value_template": "{{ (value_json | default({})).get('next_switch') }}",
        ],
      ],
    ]
    #expect(discovery.messages[1].topic == "homeassistant/device/sketch2mqtt_main_garden_plug/config")
    #expect(discovery.messages[1].payload == expected)
  }

  @Test func `the bridge comes first and does not depend on itself`() throws {
    let plug = try DiscoverableDevice.board(Property("power", name: nil, .switch(), verbs: [.set]))
    let discovery = Discovery(of: [plug], settings: .usual)
    let expected: Value = [
      "device": [
        "identifiers": ["sketch2mqtt_main_bridge"], "name": "sketch2mqtt main",
        "manufacturer": "sketch2mqtt", "model": "Bridge", "sw_version": "1.2.3",
      ],
      "origin": [
        "name": "sketch2mqtt", "sw_version": "1.2.3", "support_url": "https://example.org/sketch2mqtt",
      ],
      "qos": 1,
      "components": [
        "connection": [
          "platform": "binary_sensor", "unique_id": "sketch2mqtt_main_bridge_connection",
          "name": "Connection", "default_entity_id": "binary_sensor.sketch2mqtt_main_connection",
          "entity_category": "diagnostic", "device_class": "connectivity",
          "state_topic": "sketch2mqtt/bridge/main/state", "payload_on": "online", "payload_off": "offline",
        ],
        "version": [
          "platform": "sensor", "unique_id": "sketch2mqtt_main_bridge_version", "name": "Version",
          "default_entity_id": "sensor.sketch2mqtt_main_version", "entity_category": "diagnostic",
          "icon": "mdi:information-outline", "state_topic": "sketch2mqtt/bridge/main/info",
          "value_template": "{{ (value_json | default({})).get('version') }}",
        ],
      ],
    ]
    #expect(discovery.messages[0].topic == "homeassistant/device/sketch2mqtt_main_bridge/config")
    #expect(discovery.messages[0].payload == expected)
  }

  @Test func `the root has only keys that Home Assistant lets pass`() throws {
    let allowed: Set<String> = [
      "device", "components", "origin", "availability", "availability_mode", "qos",
    ]
    let discovery = Discovery(of: [try .everyKind()], settings: .usual)
    for message in discovery.messages {
      #expect(Set(try discovery.payload(message.topic).names).isSubset(of: allowed))
    }
  }

  @Test func `with output values the bare topics are read, as they are where that serves`() throws {
    var door = try DiscoverableDevice.board(
      Property("temperature", name: "Temperature", .sensor(.init(unit: "°C"))),
      Property("last_word", name: "Last word", .sensor()),
      Property("voice", name: "Voice", .text(), verbs: [.set]),
      Property("location", name: "Location", .deviceTracker(sourceType: "gps")))
    door.output = .values
    let discovery = Discovery(of: [door], settings: .usual)
    let temperature = try discovery.component("temperature")
    #expect(temperature["state_topic"] == "sketch2mqtt/garden_plug/temperature")
    #expect(temperature["value_template"] == nil)
    #expect(
      try discovery.component("voice")["value_template"]
        == "{{ '' if value == 'None' else (value | string)[:255] }}")
    #expect(try discovery.component("last_word")["value_template"] == "{{ (value | string)[:255] }}")
    let location = try discovery.component("location")
    #expect(location["json_attributes_topic"] == "sketch2mqtt/garden_plug/location")
    #expect(location["json_attributes_template"] == "{{ value_json | default({}, true) | to_json }}")
  }

  @Test func `with both outputs the JSON state is read`() throws {
    var door = try DiscoverableDevice.board(Property("temperature", name: "Temperature", .sensor()))
    let json = Discovery(of: [door], settings: .usual)
    door.output = .both
    #expect(Discovery(of: [door], settings: .usual).messages == json.messages)
  }

  @Test func `a device without entities is not announced`() throws {
    let raw = try DiscoverableDevice.board(Property("driver", name: "Driver", .command, verbs: [.set]))
    let discovery = Discovery(of: [raw], settings: .usual)
    #expect(discovery.messages.map(\.topic) == ["homeassistant/device/sketch2mqtt_main_bridge/config"])
  }

  @Test func `nothing is announced when discovery is off`() throws {
    let discovery = Discovery(of: [try .everyKind()], settings: .usual.with(form: .off))
    #expect(discovery.messages.isEmpty)
    #expect(discovery.record.isEmpty)
  }

  @Test func `a support page is left out when there is none`() throws {
    let discovery = Discovery(of: [], settings: DiscoverySettings(softwareVersion: "2"))
    let payload = try discovery.payload("homeassistant/device/sketch2mqtt_main_bridge/config")
    #expect(payload["origin"] == ["name": "sketch2mqtt", "sw_version": "2"])
  }

  @Test func `a Bluetooth address joins the board with what else is known of it`() throws {
    var door = try DiscoverableDevice.board(Property("lock", name: nil, .lock, verbs: [.set]))
    door.bluetoothAddress = BluetoothAddress("c0de00000001")
    let discovery = Discovery(of: [door], settings: .usual)
    let payload = try discovery.payload("homeassistant/device/sketch2mqtt_main_garden_plug/config")
    #expect(try payload.members("device")["connections"] == [["bluetooth", "C0:DE:00:00:00:01"]])
  }
}
