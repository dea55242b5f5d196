import DeviceModel

/// One device as it is announced.
struct Announcement: Hashable, Sendable {
  var settings: DiscoverySettings
  /// Its identifier.
  var object: String
  var device: Value.Members
  /// The topics that must all say `online`, for components without a list of their own.
  var availability: [String]
  var components: [Component]

  private var topics: DiscoveryTopics { DiscoveryTopics(settings: settings) }

  /// Of the form that the settings ask for.
  var messages: [DiscoveryMessage] {
    switch settings.form {
    case .off: []
    case .device:
      [DiscoveryMessage(topics.config(object: object), devicePayload)]
        + components.filter(\.platform.standsAlone).map(message)
    case .components: components.map(message)
    }
  }

  private func message(of component: Component) -> DiscoveryMessage {
    DiscoveryMessage(topics.config(object: object, component.item), payload(of: component))
  }

  private var devicePayload: Value {
    var payload: Value.Members = [:]
    payload["device"] = .object(device)
    payload["origin"] = .object(Self.origin(settings))
    payload.addAvailability(availability.map { ["topic": .text($0)] })
    payload["qos"] = 1
    payload["components"] = .object(
      Value.Members(
        components.filter { !$0.platform.standsAlone }.map { component in
          var members: Value.Members = ["platform": .text(component.platform.rawValue)]
          members.append(component.config)
          return (component.key, .object(members))
        }))
    return .object(payload)
  }

  private func payload(of component: Component) -> Value {
    var payload = component.config
    if payload["availability"] == nil { payload.addAvailability(availability.map { ["topic": .text($0)] }) }
    payload["qos"] = 1
    payload["device"] = .object(device)
    payload["origin"] = .object(Self.origin(settings))
    return .object(payload)
  }

  /// A device message that removes components and leaves the others as they are.
  static func removal(of items: [DiscoveryRecord.Item], object: String, settings: DiscoverySettings) -> Value
  {
    [
      "device": ["identifiers": [.text(object)]],
      "origin": .object(origin(settings)),
      "components": .object(
        Value.Members(items.map { ($0.key, ["platform": .text($0.platform)]) })),
    ]
  }

  static func origin(_ settings: DiscoverySettings) -> Value.Members {
    var origin: Value.Members = ["name": "sketch2mqtt", "sw_version": .text(settings.softwareVersion)]
    origin["support_url"] = settings.supportURL.map { .text($0) }
    return origin
  }
}

extension Value.Members {
  /// Nothing for an empty list: what depends on no topic is always available.
  mutating func addAvailability(_ entries: [Value]) {
    guard !entries.isEmpty else { return }
    self["availability"] = .list(entries)
    self["availability_mode"] = "all"
  }

  mutating func append(_ others: Value.Members) {
    for (name, value) in others.pairs { self[name] = value }
  }
}
