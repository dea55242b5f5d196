import DeviceModel

/// Makes entities of one device's properties. The properties are free of problems.
///
/// Words that are Home Assistant's defaults are the words of our topics and are not repeated in the messages: ON,
/// OFF, LOCK, LOCKED, OPEN, open, PRESS, home and their kind.
struct ComponentRenderer {
  var device: DiscoverableDevice
  var object: String
  var topics: DiscoveryTopics

  private var form: DiscoverySettings.Form { topics.settings.form }

  /// nil for what has no entity: commands, structured values, and what the form's versions do not know.
  ///
  /// - Parameters:
  ///   - attributes: Structured properties to show as attributes of this entity.
  ///   - outlivesDevice: The entity follows the bridge's availability alone.
  func component(
    for property: Property, attributes: [PropertyKey] = [], outlivesDevice: Bool = false
  ) -> Component? {
    guard let platform = Self.platform(of: property.kind) else { return nil }
    // Those who need this form do not know the platform, and complain of it.
    if form == .components, platform.standsAlone { return nil }
    var component = Component(
      property, platform: platform, object: object, entityID: device.id.text, form: form)
    add(property, to: &component.config)
    addState(of: property, to: &component.config, outlivesDevice: outlivesDevice)
    if property.isSettable, platform.takesCommands || property.kind == .infraredEmitter {
      component.config["command_topic"] = .text(topics.bridge.command(device.id, property.key))
      // Home Assistant then believes what it sends and offers both directions. A command that is refused must
      // be followed by the state.
      if property.isAssumed, platform.canAssume { component.config["optimistic"] = true }
    }
    // The recorder keeps no attributes of an entity that has more than 16 kB of them.
    if !attributes.isEmpty, device.output != .values, platform.isState, !property.kind.isPosition {
      component.config["json_attributes_topic"] = .text(topics.bridge.state(device.id))
      component.config["json_attributes_template"] = .text(
        StateSource.attributesTemplate(of: attributes.map(\.text)))
    }
    return component
  }

  /// The one entity for all that the device fires.
  func event(types: [String]) -> Component {
    var component = Component(
      Property("event", name: "Event", .sensor()), platform: .event, object: object,
      entityID: device.id.text, form: form)
    component.property = nil
    component.config["event_types"] = .list(types.map { .text($0) })
    component.config["state_topic"] = .text(topics.bridge.event(device.id))
    return component
  }

  static func platform(of kind: PropertyKind) -> Platform? {
    switch kind {
    case .sensor, .enumeration, .timestamp: .sensor
    case .binarySensor: .binarySensor
    case .switch: .switch
    case .number: .number
    case .select: .select
    case .button: .button
    case .text: .text
    case .lock: .lock
    case .cover: .cover
    case .event: .event
    case .deviceTracker: .deviceTracker
    case .infraredEmitter, .infraredReceiver: .infrared
    case .structured, .command: nil
    }
  }

  /// What is particular to the kind.
  private func add(_ property: Property, to config: inout Value.Members) {
    switch property.kind {
    case .sensor(let measurement):
      add(measurement, to: &config)
      config["state_class"] = measurement.stateClass.map { .text($0.rawValue) }
      config["suggested_display_precision"] = measurement.precision.map { .integer($0) }
    case .enumeration(let options):
      config["device_class"] = "enum"
      // Not known before 2024.11.
      if form == .device { config["options"] = .list(options.map { .text($0) }) }
    case .timestamp: config["device_class"] = "timestamp"
    case .number(let range, let measurement):
      add(measurement, to: &config)
      config["min"] = .number(range.minimum)
      config["max"] = .number(range.maximum)
      config["step"] = .number(range.step)
    case .select(let options): config["options"] = .list(options.map { .text($0) })
    case .text(let maximumLength, let pattern):
      config["max"] = .integer(maximumLength)
      // The empty text stands for an unknown one.
      config["pattern"] = pattern.map { .text("(?:\($0))|^$") }
    case .cover(let deviceClass, let canClose, let canStop):
      config["device_class"] = deviceClass.map { .text($0) }
      if !canClose { config["payload_close"] = .unknown }
      if !canStop { config["payload_stop"] = .unknown }
    case .binarySensor(let deviceClass):
      let isLater = deviceClass.map(DeviceClasses.laterOfBinarySensors.contains) ?? false
      if form == .device || !isLater { config["device_class"] = deviceClass.map { .text($0) } }
    case .switch(let deviceClass), .button(let deviceClass):
      config["device_class"] = deviceClass.map { .text($0) }
    case .event(let types, let deviceClass):
      config["event_types"] = .list(types.map { .text($0) })
      config["device_class"] = deviceClass.map { .text($0) }
    case .deviceTracker(let sourceType): config["source_type"] = .text(sourceType)
    case .infraredEmitter: config["schema"] = "emitter"
    case .infraredReceiver: config["schema"] = "receiver"
    case .lock, .structured, .command: break
    }
  }

  private func add(_ measurement: PropertyKind.Measurement, to config: inout Value.Members) {
    // Old versions refuse the entity for a class, or a unit of it, that they do not know; without the class they
    // take any unit.
    if let name = measurement.deviceClass,
      form == .device || DeviceClasses.isOld(name, unit: measurement.unit)
    {
      config["device_class"] = .text(name)
    }
    config["unit_of_measurement"] = measurement.unit.map { .text(MeasurementUnit.published($0)) }
  }

  private func addState(of property: Property, to config: inout Value.Members, outlivesDevice: Bool) {
    switch property.kind {
    case .button, .infraredEmitter: return
    case .infraredReceiver:
      config["state_topic"] = .text(topics.bridge.value(device.id, property.key))
      return
    case .event:
      config["state_topic"] = .text(topics.bridge.event(device.id))
      config["value_template"] = .text(StateSource.eventTemplate(of: property.key.text))
      return
    default: break
    }
    let source = source(of: property.key)
    if property.kind.isPosition {
      config["json_attributes_topic"] = .text(source.topic)
      config["json_attributes_template"] = .text(source.attributesTemplate)
      return
    }
    config["state_topic"] = .text(source.topic)

    var followed: [Value] = [["topic": .text(topics.bridge.bridgeState)]]
    if !outlivesDevice { followed.append(["topic": .text(topics.bridge.availability(device.id))]) }
    var standIn: String?
    if case .text = property.kind {
      standIn = ""
    } else if form == .components, let unseen = property.kind.standIn {
      standIn = unseen
      followed.append(["topic": .text(source.topic), "value_template": .text(source.availabilityTemplate)])
    }
    if standIn != nil || property.kind.limit != nil {
      config["value_template"] = .text(source.template(orElse: standIn, limit: property.kind.limit))
    } else {
      config["value_template"] = source.template.map { .text($0) }
    }
    if outlivesDevice || followed.count > 2 { config.addAvailability(followed) }
  }

  private func source(of key: PropertyKey) -> StateSource {
    device.output == .values
      ? StateSource(topic: topics.bridge.value(device.id, key), member: nil)
      : StateSource(topic: topics.bridge.state(device.id), member: key.text)
  }
}
