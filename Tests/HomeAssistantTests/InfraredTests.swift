import DeviceModel
import HomeAssistant
import Testing

/// Entities that Home Assistant knows since 2026.11.
struct InfraredTests {
  private let topic = "homeassistant/infrared/sketch2mqtt_main_tv-alone"
  private let up = Property("volume_up", name: "Volume up", .button(), verbs: [.set])
  private let emitter = Property(
    "infrared", name: "Infrared", .infraredEmitter, verbs: [.set], icon: "mdi:remote-tv")
  private let receiver = Property("infrared_received", name: "Received", .infraredReceiver)

  private func discovery(
    _ properties: Property..., form: DiscoverySettings.Form = .device
  ) throws -> Discovery {
    var device = try DiscoverableDevice.board("TV", up)
    device.description.properties += properties
    return Discovery(of: [device], settings: .usual.with(form: form))
  }

  @Test func `an emitter and a receiver have messages of their own beside the device's`() throws {
    let discovery = try discovery(emitter, receiver)
    #expect(discovery.problems.isEmpty)
    #expect(
      discovery.messages.map(\.topic) == [
        "homeassistant/device/sketch2mqtt_main_bridge/config",
        "homeassistant/device/sketch2mqtt_main_tv/config", "\(topic)/infrared/config",
        "\(topic)/infrared_received/config",
      ])
    let shared: Value.Members = [
      "availability": [["topic": "sketch2mqtt/bridge/main/state"], ["topic": "sketch2mqtt/tv/availability"]],
      "availability_mode": "all", "qos": 1,
      "device": [
        "identifiers": ["sketch2mqtt_main_tv"], "name": "TV", "via_device": "sketch2mqtt_main_bridge",
      ],
      "origin": [
        "name": "sketch2mqtt", "sw_version": "1.2.3", "support_url": "https://example.org/sketch2mqtt",
      ],
    ]
    var sending: Value.Members = [
      "unique_id": "sketch2mqtt_main_tv_infrared", "name": "Infrared",
      "default_entity_id": "infrared.tv_infrared", "icon": "mdi:remote-tv", "schema": "emitter",
      "command_topic": "sketch2mqtt/tv/infrared/set",
    ]
    var receiving: Value.Members = [
      "unique_id": "sketch2mqtt_main_tv_infrared_received", "name": "Received",
      "default_entity_id": "infrared.tv_infrared_received", "schema": "receiver",
      "state_topic": "sketch2mqtt/tv/infrared_received",
    ]
    for (name, value) in shared.pairs {
      sending[name] = value
      receiving[name] = value
    }
    #expect(discovery.messages[2].payload == .object(sending))
    #expect(discovery.messages[3].payload == .object(receiving))
    // A version that does not know them must not refuse the device for them.
    let components = try discovery.payload("homeassistant/device/sketch2mqtt_main_tv/config").members(
      "components")
    #expect(components.names == ["volume_up"])
  }

  @Test func `the form for old versions is without them`() throws {
    let discovery = try discovery(emitter, receiver, form: .components)
    #expect(discovery.problems.isEmpty)
    #expect(discovery.messages.filter { $0.topic.contains("infrared") } == [])
    #expect(discovery.messages.count == 3)
  }

  @Test func `what is gone is taken back, by a change of form too, and is remembered as it was announced`()
    throws
  {
    let settings = DiscoverySettings.usual
    let both = try discovery(emitter, receiver)
    #expect(try DiscoveryRecord(both.record.value) == both.record)
    let alone = try discovery(emitter)
    let plan = DiscoveryPlan(from: both.record, to: alone, settings: settings)
    #expect(
      plan.stages == [[DiscoveryMessage("\(topic)/infrared_received/config", nil)], alone.messages])
    let old = try discovery(emitter, form: .components)
    let change = DiscoveryPlan(from: alone.record, to: old, settings: settings.with(form: .components))
    #expect(change.stages.first?.contains(DiscoveryMessage("\(topic)/infrared/config", nil)) == true)
    #expect(change.record == old.record)
    let back = DiscoveryPlan(from: old.record, to: alone, settings: settings)
    #expect(
      back.stages.last?.contains { $0.topic == "\(topic)/infrared/config" && $0.payload != nil } == true)
  }

  @Test func `an emitter must be settable`() throws {
    let discovery = try discovery(Property("infrared", name: "Infrared", .infraredEmitter))
    #expect(discovery.problems.map(\.problem.reason) == [.notSettable])
  }
}
