import DeviceModel

extension Announcement {
  /// The bridge as a device of its own, which boards point to.
  ///
  /// Its connection sensor follows no availability: it shows `off` when the bridge is away.
  init(bridgeWith settings: DiscoverySettings) {
    let topics = DiscoveryTopics(settings: settings)
    self.settings = settings
    object = topics.bridgeObject
    device = [
      "identifiers": [.text(topics.bridgeObject)], "name": .text("sketch2mqtt \(settings.bridge)"),
      "manufacturer": "sketch2mqtt", "model": "Bridge", "sw_version": .text(settings.softwareVersion),
    ]
    availability = []
    let entityID = "sketch2mqtt_\(settings.bridge)"
    let connection = Property(
      "connection", name: "Connection", .binarySensor(deviceClass: "connectivity"), category: .diagnostic)
    let version = Property(
      "version", name: "Version", .sensor(), category: .diagnostic, icon: "mdi:information-outline")

    var connectionSensor = Component(
      connection, platform: .binarySensor, object: object, entityID: entityID, form: settings.form)
    connectionSensor.config["device_class"] = "connectivity"
    connectionSensor.config["state_topic"] = .text(topics.bridge.bridgeState)
    connectionSensor.config["payload_on"] = "online"
    connectionSensor.config["payload_off"] = "offline"

    var versionSensor = Component(
      version, platform: .sensor, object: object, entityID: entityID, form: settings.form)
    let source = StateSource(topic: topics.bridge.bridgeInfo, member: "version")
    versionSensor.config["state_topic"] = .text(source.topic)
    versionSensor.config["value_template"] = source.template.map { .text($0) }
    components = [connectionSensor, versionSensor]
  }
}
