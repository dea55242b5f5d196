import DeviceModel
import HomeAssistant
import Testing

struct KindTests {
  /// The component of a property in a device message, without the keys that all have.
  private func rendered(
    _ kind: PropertyKind, settable: Bool = false, assumed: Bool = false
  ) throws -> Value {
    let board = try DiscoverableDevice.board(
      Property("it", name: "It", kind, verbs: settable ? [.set] : [], isAssumed: assumed))
    let discovery = Discovery(of: [board], settings: .usual)
    #expect(discovery.problems.isEmpty)
    var component = try discovery.component("it")
    #expect(component["unique_id"] == "sketch2mqtt_main_garden_plug_it")
    #expect(component["name"] == "It")
    #expect(component["default_entity_id"] == .text("\(try component.text("platform")).garden_plug_it"))
    for key in ["unique_id", "name", "default_entity_id"] { component[key] = nil }
    if component["state_topic"] == "sketch2mqtt/garden_plug" { component["state_topic"] = nil }
    if component["command_topic"] == "sketch2mqtt/garden_plug/it/set" { component["command_topic"] = "IT" }
    if component["value_template"] == "{{ (value_json | default({})).get('it') }}" {
      component["value_template"] = "IT"
    }
    return .object(component)
  }

  @Test func `a measurement`() throws {
    let measurement = PropertyKind.Measurement(
      unit: "°C", deviceClass: "temperature", stateClass: .measurement, precision: 1)
    #expect(
      try rendered(.sensor(measurement)) == [
        "platform": "sensor", "device_class": "temperature", "unit_of_measurement": "°C",
        "state_class": "measurement", "suggested_display_precision": 1, "value_template": "IT",
      ])
  }

  @Test func `a text that is only read is cut to what a state may hold`() throws {
    #expect(
      try rendered(.sensor()) == [
        "platform": "sensor",
        "value_template":
          "{% set known = (value_json | default({})).get('it') %}{{ (known | string)[:255] }}",
      ])
  }

  @Test func `one of several words`() throws {
    #expect(
      try rendered(.enumeration(["near", "far"])) == [
        "platform": "sensor", "device_class": "enum", "options": ["near", "far"], "value_template": "IT",
      ])
  }

  @Test func `a time`() throws {
    #expect(
      try rendered(.timestamp) == [
        "platform": "sensor", "device_class": "timestamp", "value_template": "IT",
      ])
  }

  @Test func `a truth that is only read`() throws {
    #expect(
      try rendered(.binarySensor(deviceClass: "problem")) == [
        "platform": "binary_sensor", "device_class": "problem", "value_template": "IT",
      ])
  }

  @Test func `a switch`() throws {
    #expect(
      try rendered(.switch(deviceClass: "outlet"), settable: true) == [
        "platform": "switch", "device_class": "outlet", "value_template": "IT", "command_topic": "IT",
      ])
  }

  @Test func `a number`() throws {
    let range = PropertyKind.NumberRange(-50...0, step: 0.5)
    #expect(
      try rendered(.number(range, .init(unit: "dB", deviceClass: "sound_pressure")), settable: true) == [
        "platform": "number", "device_class": "sound_pressure", "unit_of_measurement": "dB",
        "min": .number(-50), "max": .number(0), "step": .number(0.5), "value_template": "IT",
        "command_topic": "IT",
      ])
  }

  @Test func `a choice`() throws {
    #expect(
      try rendered(.select(["automatic", "manual"]), settable: true) == [
        "platform": "select", "options": ["automatic", "manual"], "value_template": "IT",
        "command_topic": "IT",
      ])
  }

  @Test func `a button has no state`() throws {
    #expect(
      try rendered(.button(deviceClass: "restart"), settable: true) == [
        "platform": "button", "device_class": "restart", "command_topic": "IT",
      ])
  }

  @Test func `a text that can be set is empty while unknown, whatever its pattern`() throws {
    #expect(
      try rendered(.text(maximumLength: 40, pattern: "[a-z]+|x"), settable: true) == [
        "platform": "text", "max": 40, "pattern": "(?:[a-z]+|x)|^$",
        "value_template": .text(
          "{% set known = (value_json | default({})).get('it') %}"
            + "{{ '' if known is none else (known | string)[:40] }}"),
        "command_topic": "IT",
      ])
  }

  @Test func `a lock`() throws {
    #expect(
      try rendered(.lock, settable: true) == [
        "platform": "lock", "value_template": "IT", "command_topic": "IT",
      ])
  }

  @Test func `a cover offers what it can`() throws {
    #expect(
      try rendered(.cover(deviceClass: "garage", canClose: true, canStop: true), settable: true) == [
        "platform": "cover", "device_class": "garage", "value_template": "IT", "command_topic": "IT",
      ])
    #expect(
      try rendered(.cover(canClose: false, canStop: false), settable: true) == [
        "platform": "cover", "payload_close": nil, "payload_stop": nil, "value_template": "IT",
        "command_topic": "IT",
      ])
    #expect(
      try rendered(.cover(canClose: true, canStop: true)) == ["platform": "cover", "value_template": "IT"])
  }

  @Test func `a tracker by presence`() throws {
    #expect(
      try rendered(.deviceTracker(sourceType: "bluetooth_le")) == [
        "platform": "device_tracker", "source_type": "bluetooth_le", "value_template": "IT",
      ])
  }

  @Test func `a tracker by coordinates has them as attributes, and no state of its own`() throws {
    #expect(
      try rendered(.deviceTracker(sourceType: "gps")) == [
        "platform": "device_tracker", "source_type": "gps",
        "json_attributes_topic": "sketch2mqtt/garden_plug",
        "json_attributes_template": "{{ ((value_json | default({})).get('it') or {}) | to_json }}",
      ])
  }

  @Test(arguments: [
    PropertyKind.switch(), .number(.init(0...1)), .select(["a"]), .text(), .lock,
    .cover(canClose: true, canStop: true),
  ])
  func `what gives no evidence of its state is shown as assumed`(kind: PropertyKind) throws {
    guard case .object(let known) = try rendered(kind, settable: true),
      case .object(let assumed) = try rendered(kind, settable: true, assumed: true)
    else { throw Missing(name: "\(kind)") }
    #expect(known["optimistic"] == nil)
    #expect(assumed["optimistic"] == true)
  }

  @Test func `an assumed value that is only read, or a button, says nothing of it`() throws {
    for kind in [PropertyKind.sensor(), .binarySensor(), .cover(canClose: true, canStop: true)] {
      #expect(try rendered(kind, assumed: true) == rendered(kind))
    }
    #expect(try rendered(.button(), settable: true, assumed: true) == rendered(.button(), settable: true))
  }

  @Test func `an event of one property`() throws {
    #expect(
      try rendered(.event(["short", "long"], deviceClass: "doorbell")) == [
        "platform": "event", "event_types": ["short", "long"], "device_class": "doorbell",
        "state_topic": "sketch2mqtt/garden_plug/event",
        "value_template":
          "{{ value if (value_json | default({})).get('property') == 'it' else '' }}",
      ])
  }

  @Test func `events are one entity with all their types`() throws {
    let board = try DiscoverableDevice.board(events: ["opened", "refused"])
    let discovery = Discovery(of: [board], settings: .usual)
    #expect(
      try discovery.component("event") == [
        "platform": "event", "unique_id": "sketch2mqtt_main_garden_plug_event", "name": "Event",
        "default_entity_id": "event.garden_plug_event", "event_types": ["opened", "refused"],
        "state_topic": "sketch2mqtt/garden_plug/event",
      ])
  }

  @Test func `structured values are attributes of the main entity`() throws {
    var board = try DiscoverableDevice.board(
      Property("power", name: nil, .switch(), verbs: [.set]),
      Property("mode", name: "Mode", .select(["a"]), verbs: [.set]),
      Property("schedule", name: "Schedule", .structured, verbs: [.set, .put, .delete]),
      Property("target", name: "Target", .structured, verbs: [.set]))
    let discovery = Discovery(of: [board], settings: .usual)
    let power = try discovery.component("power")
    #expect(power["json_attributes_topic"] == "sketch2mqtt/garden_plug")
    #expect(
      power["json_attributes_template"]
        == .text(
          "{{ dict((value_json | default({})).items() | selectattr('0', 'in', ['schedule', 'target'])"
            + " | rejectattr('1', 'none')) | to_json }}"))
    #expect(try discovery.component("mode")["json_attributes_topic"] == nil)
    #expect(throws: Missing.self) { try discovery.component("schedule") }

    // There is no one topic then that has them all as an object.
    board.output = .values
    let bare = try Discovery(of: [board], settings: .usual).component("power")
    #expect(bare["json_attributes_topic"] == nil)
  }

  @Test func `extras come on request and follow the bridge alone, but for the signal`() throws {
    var board = try DiscoverableDevice.board(Property("power", name: nil, .switch(), verbs: [.set]))
    #expect(throws: Missing.self) { try Discovery(of: [board], settings: .usual).component("last_seen") }
    board.extras = [.lastSeen, .rssi, .reconnects]
    let discovery = Discovery(of: [board], settings: .usual)
    for key in ["last_seen", "reconnects"] {
      let extra = try discovery.component(key)
      #expect(extra["availability"] == [["topic": "sketch2mqtt/bridge/main/state"]])
      #expect(extra["entity_category"] == "diagnostic")
    }
    let rssi = try discovery.component("rssi")
    #expect(rssi["availability"] == nil)
    #expect(rssi["unit_of_measurement"] == "dBm")
  }

  @Test func `a kind's own signal strength stands instead of the extra one`() throws {
    var board = try DiscoverableDevice.board(
      Property("rssi", name: "Strength of the beacon", .sensor(.init(unit: "dBm"))))
    board.extras = [.rssi]
    let discovery = Discovery(of: [board], settings: .usual)
    #expect(discovery.problems.isEmpty)
    #expect(try discovery.component("rssi")["name"] == "Strength of the beacon")
  }

  @Test func `category, icon and disabled are told`() throws {
    let board = try DiscoverableDevice.board(
      Property(
        "mode", name: "Mode", .select(["a"]), verbs: [.set], category: .config, icon: "mdi:cog",
        isEnabledByDefault: false))
    let mode = try Discovery(of: [board], settings: .usual).component("mode")
    #expect(mode["entity_category"] == "config")
    #expect(mode["icon"] == "mdi:cog")
    #expect(mode["enabled_by_default"] == false)
  }

  @Test func `the device's icon is the main entity's, unless that has its own`() throws {
    var board = try DiscoverableDevice.board(
      Property("power", name: nil, .switch(), verbs: [.set]), Property("on", name: "On", .binarySensor()))
    board.icon = "mdi:flower"
    let plain = Discovery(of: [board], settings: .usual)
    #expect(try plain.component("power")["icon"] == "mdi:flower")
    #expect(try plain.component("on")["icon"] == nil)
    board.description.properties[0].icon = "mdi:power"
    #expect(try Discovery(of: [board], settings: .usual).component("power")["icon"] == "mdi:power")
  }
}
