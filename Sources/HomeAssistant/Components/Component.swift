import DeviceModel

/// One entity as it is announced, without what its device has in common.
struct Component: Hashable, Sendable {
  /// nil for what stands for no property.
  var property: PropertyKey?
  var platform: Platform
  /// Unique in the device.
  var key: String
  var config: Value.Members

  var uniqueID: String
  var item: DiscoveryRecord.Item { DiscoveryRecord.Item(platform: platform.rawValue, key: key) }
  /// Home Assistant refuses a second entity with this.
  var identity: String { "\(platform.rawValue).\(uniqueID)" }

  /// - Parameter entityID: What the default entity id begins with; the main entity has it as it is. It does not
  ///   follow the names, so that a device called in another language has the same entity ids.
  init(
    _ property: Property, platform: Platform, object: String, entityID: String, form: DiscoverySettings.Form
  ) {
    self.property = property.key
    self.platform = platform
    key = DiscoveryTopics.sanitized(property.key.text)
    uniqueID = "\(object)_\(key)"
    let entityName = DiscoveryTopics.sanitized(property.name == nil ? entityID : "\(entityID)_\(key)")
    config = [
      "unique_id": .text(uniqueID), "name": property.name.map { .text($0) } ?? .unknown,
      "default_entity_id": .text("\(platform.rawValue).\(entityName)"),
    ]
    // Read before 2025.10, which passes over the other; from then on no warning comes when both are there.
    if form == .components { config["object_id"] = .text(entityName) }
    switch property.category {
    case .primary: break
    case .config: config["entity_category"] = "config"
    case .diagnostic: config["entity_category"] = "diagnostic"
    }
    config["icon"] = property.icon.map { .text($0) }
    if !property.isEnabledByDefault { config["enabled_by_default"] = false }
  }
}
