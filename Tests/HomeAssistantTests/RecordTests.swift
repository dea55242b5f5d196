import DeviceModel
import HomeAssistant
import JSON
import Testing

struct RecordTests {
  @Test(arguments: [DiscoverySettings.Form.device, .components])
  func `a record comes back from its text as it was`(form: DiscoverySettings.Form) throws {
    var settings = DiscoverySettings.usual.with(form: form)
    settings.prefix = "ha/device/found"
    let record = Discovery(of: [try .everyKind()], settings: settings).record
    #expect(!record.isEmpty)
    let text = JSON.text(of: record.value)
    #expect(try DiscoveryRecord(JSON.parse(Array(text.utf8))) == record)
  }

  @Test func `a record names topics and entities, and nothing else`() throws {
    let plug = try DiscoverableDevice.board(
      Property("power", name: nil, .switch(), verbs: [.set]), Property("on", name: "On", .binarySensor()))
    let bridge = Discovery(of: [], settings: .usual).record.value
    #expect(
      bridge == [
        "homeassistant/device/sketch2mqtt_main_bridge/config": [
          "binary_sensor/connection", "sensor/version",
        ]
      ])
    let components = Discovery(of: [plug], settings: .usual.with(form: .components)).record
    #expect(
      components.topics == [
        "homeassistant/binary_sensor/sketch2mqtt_main_bridge/connection/config",
        "homeassistant/sensor/sketch2mqtt_main_bridge/version/config",
        "homeassistant/switch/sketch2mqtt_main_garden_plug/power/config",
        "homeassistant/binary_sensor/sketch2mqtt_main_garden_plug/on/config",
      ])
  }

  @Test func `a record for an empty house is empty`() throws {
    #expect(try DiscoveryRecord([:] as Value).isEmpty)
    #expect(DiscoveryRecord().value == [:])
  }

  @Test(arguments: [
    // What is remembered gets cleared: it cannot name other people's topics.
    "zigbee2mqtt/lamp", "homeassistant/device/other_plug/config", "homeassistant/status",
    "homeassistant/device/sketch2mqtt_main_plug/state", "homeassistant/+/sketch2mqtt_main_plug/config",
    "#", "", "config", "homeassistant/device/sketch2mqtt_main_pl ug/config",
    "homeassistant/switch/sketch2mqtt_main_plug/other/config",
    "homeassistant/sensor/sketch2mqtt_main_plug/power/config",
  ])
  func `a record with a topic that is no discovery topic is refused`(topic: String) {
    #expect(throws: DiscoveryRecordError.notADiscoveryTopic(topic)) {
      try DiscoveryRecord(.object(Value.Members([(topic, ["switch/power"])])))
    }
  }

  @Test func `a record of another shape is refused`() {
    let topic = "homeassistant/device/sketch2mqtt_main_plug/config"
    #expect(throws: DiscoveryRecordError.notAnObject) { try DiscoveryRecord([]) }
    #expect(throws: DiscoveryRecordError.notAnObject) { try DiscoveryRecord(.unknown) }
    #expect(throws: DiscoveryRecordError.notAList(topic: topic)) {
      try DiscoveryRecord(.object(Value.Members([(topic, "switch/power")])))
    }
    for entity in [1, "", "switch", "switch/", "/power", "switch/po/wer", "swi tch/power", nil] as [Value] {
      #expect(throws: DiscoveryRecordError.notAnEntity(topic: topic)) {
        try DiscoveryRecord(.object(Value.Members([(topic, .list([entity]))])))
      }
    }
  }
}
