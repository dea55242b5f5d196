import DeviceModel
import HomeAssistant
import Testing

struct PlanTests {
  private let device = DiscoverySettings.usual
  private let components = DiscoverySettings.usual.with(form: .components)
  private let plugTopic = "homeassistant/device/sketch2mqtt_main_garden_plug/config"
  private let bridgeTopic = "homeassistant/device/sketch2mqtt_main_bridge/config"
  private let migrate: Value = ["migrate_discovery": true]

  private let power = Property("power", name: nil, .switch(), verbs: [.set])
  private let mode = Property("mode", name: "Mode", .select(["a", "b"]), verbs: [.set])
  private let running = Property("running", name: "Running", .sensor())

  private func plan(
    from old: Discovery, to new: Discovery, _ settings: DiscoverySettings, only: DeviceID? = nil
  ) -> DiscoveryPlan {
    DiscoveryPlan(from: old.record, to: new, settings: settings, device: only)
  }

  private func removal(of components: Value) -> Value {
    [
      "device": ["identifiers": ["sketch2mqtt_main_garden_plug"]],
      "origin": [
        "name": "sketch2mqtt", "sw_version": "1.2.3", "support_url": "https://example.org/sketch2mqtt",
      ],
      "components": components,
    ]
  }

  @Test func `at first all is published, in one stage`() throws {
    let wanted = Discovery(of: [try .board(power)], settings: device)
    let plan = DiscoveryPlan(from: DiscoveryRecord(), to: wanted, settings: device)
    #expect(plan.stages == [wanted.messages])
    #expect(plan.record == wanted.record)
    #expect(plan.interim == wanted.record)
  }

  @Test func `with nothing changed all is published again and nothing else`() throws {
    for settings in [device, components] {
      let wanted = Discovery(of: [try .board(power, mode)], settings: settings)
      #expect(plan(from: wanted, to: wanted, settings).stages == [wanted.messages])
    }
  }

  @Test func `a device that is gone is cleared, in both forms`() throws {
    let old = Discovery(of: [try .board(power, mode)], settings: device)
    let wanted = Discovery(of: [], settings: device)
    let plan = plan(from: old, to: wanted, device)
    #expect(plan.stages == [[DiscoveryMessage(plugTopic, nil)], wanted.messages])
    #expect(plan.record == wanted.record)

    let oldComponents = Discovery(of: [try .board(power, mode)], settings: components)
    let wantedComponents = Discovery(of: [], settings: components)
    #expect(
      self.plan(from: oldComponents, to: wantedComponents, components).stages == [
        [
          DiscoveryMessage("homeassistant/select/sketch2mqtt_main_garden_plug/mode/config", nil),
          DiscoveryMessage("homeassistant/switch/sketch2mqtt_main_garden_plug/power/config", nil),
        ], wantedComponents.messages,
      ])
  }

  @Test func `an entity that is gone is named by its platform once, then left out`() throws {
    let old = Discovery(of: [try .board(power, mode, running)], settings: device)
    let wanted = Discovery(of: [try .board(power)], settings: device)
    let plan = plan(from: old, to: wanted, device)
    let removal = removal(of: ["mode": ["platform": "select"], "running": ["platform": "sensor"]])
    #expect(plan.stages == [[DiscoveryMessage(plugTopic, removal)], wanted.messages])
  }

  @Test func `an entity of another platform first loses the old one`() throws {
    let old = Discovery(of: [try .board(power, mode)], settings: device)
    let read = Property("mode", name: "Mode", .enumeration(["a", "b"]))
    let wanted = Discovery(of: [try .board(power, read)], settings: device)
    #expect(
      plan(from: old, to: wanted, device).stages == [
        [DiscoveryMessage(plugTopic, removal(of: ["mode": ["platform": "select"]]))], wanted.messages,
      ])
  }

  @Test func `an entity that is gone has its topic cleared`() throws {
    let old = Discovery(of: [try .board(power, mode)], settings: components)
    let wanted = Discovery(of: [try .board(power)], settings: components)
    #expect(
      plan(from: old, to: wanted, components).stages == [
        [DiscoveryMessage("homeassistant/select/sketch2mqtt_main_garden_plug/mode/config", nil)],
        wanted.messages,
      ])
  }

  @Test func `from one message an entity to one a device: let go, clear, announce`() throws {
    let old = Discovery(of: [try .board(power, mode)], settings: components)
    let wanted = Discovery(of: [try .board(power)], settings: device)
    let plan = plan(from: old, to: wanted, device)
    let kept = [
      "homeassistant/binary_sensor/sketch2mqtt_main_bridge/connection/config",
      "homeassistant/sensor/sketch2mqtt_main_bridge/version/config",
      "homeassistant/switch/sketch2mqtt_main_garden_plug/power/config",
    ]
    #expect(
      plan.stages == [
        [DiscoveryMessage("homeassistant/select/sketch2mqtt_main_garden_plug/mode/config", nil)]
          + kept.map { DiscoveryMessage($0, migrate) },
        kept.map { DiscoveryMessage($0, nil) } + wanted.messages,
      ])
    #expect(plan.record == wanted.record)
  }

  @Test func `from one message a device to one an entity: remove, let go, clear, announce`() throws {
    let old = Discovery(of: [try .board(power, mode)], settings: device)
    let wanted = Discovery(of: [try .board(power)], settings: components)
    #expect(
      plan(from: old, to: wanted, components).stages == [
        [
          DiscoveryMessage(plugTopic, removal(of: ["mode": ["platform": "select"]])),
          DiscoveryMessage(bridgeTopic, migrate),
        ],
        [DiscoveryMessage(plugTopic, migrate)],
        [DiscoveryMessage(bridgeTopic, nil), DiscoveryMessage(plugTopic, nil)] + wanted.messages,
      ])
  }

  @Test func `under another prefix the old topics are cleared`() throws {
    let old = Discovery(of: [try .board(power)], settings: device)
    var settings = device
    settings.prefix = "ha"
    let wanted = Discovery(of: [try .board(power)], settings: settings)
    #expect(
      plan(from: old, to: wanted, settings).stages == [
        [DiscoveryMessage(bridgeTopic, nil), DiscoveryMessage(plugTopic, nil)], wanted.messages,
      ])
  }

  @Test func `when discovery is switched off all is cleared and nothing is left to remember`() throws {
    let old = Discovery(of: [try .board(power)], settings: device)
    let off = device.with(form: .off)
    let plan = plan(from: old, to: Discovery(of: [try .board(power)], settings: off), off)
    #expect(plan.stages == [[DiscoveryMessage(bridgeTopic, nil), DiscoveryMessage(plugTopic, nil)]])
    #expect(plan.record.isEmpty)
    #expect(plan.interim == old.record)
  }

  @Test func `another base topic changes what is announced, and clears nothing`() throws {
    let old = Discovery(of: [try .board(power)], settings: device)
    var settings = device
    settings.base = "boards"
    let wanted = Discovery(of: [try .board(power)], settings: settings)
    #expect(plan(from: old, to: wanted, settings).stages == [wanted.messages])
  }

  @Test func `of one device that has changed only its own messages go out`() throws {
    let lamp = try DiscoverableDevice.board("Lamp", power)
    let before = try DiscoverableDevice.board(power, mode)
    let old = Discovery(of: [before, lamp], settings: device)
    let wanted = Discovery(of: [try .board(power), lamp], settings: device)
    let plan = plan(from: old, to: wanted, device, only: before.id)
    #expect(
      plan.stages == [
        [DiscoveryMessage(plugTopic, removal(of: ["mode": ["platform": "select"]]))],
        wanted.messages.filter { $0.topic == plugTopic },
      ])
    #expect(plan.record == wanted.record)
    #expect(plan.interim == old.record.union(wanted.record))
  }

  @Test func `broken off anywhere, the next start still knows all that may be there`() throws {
    for (from, to) in [(device, components), (components, device), (device, device)] {
      let old = Discovery(of: [try .board(power, mode)], settings: from)
      let wanted = Discovery(of: [try .board(power, running)], settings: to)
      let interim = plan(from: old, to: wanted, to).interim
      #expect(interim.topics == old.record.topics.union(wanted.record.topics))
      // Whatever of the first plan was published, the second one ends where the first would have.
      let again = DiscoveryPlan(from: interim, to: wanted, settings: to)
      #expect(again.record == wanted.record)
      var retained: [String: Value] = [:]
      for message in old.messages + wanted.messages { retained[message.topic] = message.payload }
      for message in again.stages.flatMap({ $0 }) { retained[message.topic] = message.payload }
      var expected: [String: Value] = [:]
      for message in wanted.messages { expected[message.topic] = message.payload }
      #expect(retained == expected)
    }
  }

  @Test func `no topic is published twice in one stage but to be cleared and removed from`() throws {
    for (from, to) in [(device, components), (components, device), (device, device)] {
      let old = Discovery(of: [try .everyKind(), try .board(power, mode)], settings: from)
      let wanted = Discovery(of: [try .everyKind(), try .board(running)], settings: to)
      for stage in plan(from: old, to: wanted, to).stages {
        #expect(Set(stage.map(\.topic)).count == stage.count)
      }
    }
  }
}
