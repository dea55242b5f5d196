import DeviceModel

extension Announcement {
  /// Announces what of a device is free of problems, and gives the problems of the rest.
  static func of(
    _ device: DiscoverableDevice, settings: DiscoverySettings
  ) -> (Announcement, [DiscoveryProblem]) {
    let topics = DiscoveryTopics(settings: settings)
    let object = topics.object(device.id)
    var announcement = Announcement(
      settings: settings, object: object, device: info(device, object: object, topics: topics),
      availability: [topics.bridge.bridgeState, topics.bridge.availability(device.id)], components: [])

    var checker = DescriptionChecker()
    let renderer = ComponentRenderer(device: device, object: object, topics: topics)
    let structured = device.description.properties.filter { $0.kind == .structured }.map(\.key)
    var mainIsFound = false
    for var property in device.description.properties {
      guard checker.check(property) else { continue }
      let isMain = property.name == nil && !mainIsFound
      if isMain, property.icon == nil { property.icon = device.icon }
      guard let component = renderer.component(for: property, attributes: isMain ? structured : []) else {
        continue
      }
      if property.name == nil { mainIsFound = true }
      announcement.components.append(component)
    }
    for extra in DiscoverableDevice.Extra.allCases where device.extras.contains(extra) {
      // A kind may have the value as a property of its own.
      guard device.description[extra.property.key] == nil, checker.check(extra.property) else { continue }
      guard let component = renderer.component(for: extra.property, outlivesDevice: extra.outlivesDevice)
      else { continue }
      announcement.components.append(component)
    }
    if !device.description.eventTypes.isEmpty, checker.check(eventTypes: device.description.eventTypes) {
      announcement.components.append(renderer.event(types: device.description.eventTypes))
    }
    return (announcement, checker.problems)
  }

  private static func info(
    _ device: DiscoverableDevice, object: String, topics: DiscoveryTopics
  ) -> Value.Members {
    var info: Value.Members = ["identifiers": [.text(object)]]
    if let address = device.bluetoothAddress {
      info["connections"] = [["bluetooth", .text(address.description)]]
    }
    info["name"] = .text(device.name)
    info["manufacturer"] = device.description.manufacturer.map { .text($0) }
    info["model"] = device.description.model.map { .text($0) }
    info["sw_version"] = device.description.softwareVersion.map { .text($0) }
    info["via_device"] = .text(topics.bridgeObject)
    info["suggested_area"] = device.area.map { .text($0) }
    return info
  }
}
