import DeviceModel
import HomeAssistant
import Testing

extension DiscoverySettings {
  static let usual = DiscoverySettings(
    softwareVersion: "1.2.3", supportURL: "https://example.org/sketch2mqtt")

  func with(form: Form) -> DiscoverySettings {
    var settings = self
    settings.form = form
    return settings
  }
}

extension DiscoverableDevice {
  /// A made-up board; its id is the slug of the name.
  static func board(
    _ name: String, id: String? = nil, _ properties: Property...
  ) throws -> DiscoverableDevice {
    try board(name, id: id, properties, events: [])
  }

  /// One called Garden plug.
  static func board(_ properties: Property..., events: [String] = []) throws -> DiscoverableDevice {
    try board("Garden plug", id: nil, properties, events: events)
  }

  private static func board(
    _ name: String, id: String?, _ properties: [Property], events: [String]
  ) throws -> DiscoverableDevice {
    let slug = try #require(Slug(of: id ?? name))
    return DiscoverableDevice(
      id: try #require(DeviceID(slug)), name: name,
      description: DeviceDescription(properties: properties, eventTypes: events))
  }

  /// A made-up board with a property of every kind.
  static func everyKind() throws -> DiscoverableDevice {
    var device = try board("Männer-Garage ✨", id: "garage")
    device.description = DeviceDescription(
      manufacturer: "Wir", model: "Uno & Söhne", softwareVersion: "0.9",
      properties: [
        Property(
          "door", name: nil, .cover(deviceClass: "garage", canClose: false, canStop: false), verbs: [.set],
          isAssumed: true),
        Property(
          "temperature", name: "Temperature",
          .sensor(.init(unit: "°C", deviceClass: "temperature", stateClass: .measurement, precision: 1))),
        Property("opened_by", name: "Opened by", .sensor(), icon: "mdi:account"),
        Property("dust", name: "Dust", .sensor(.init(unit: "μg/m³", deviceClass: "pm25"))),
        Property("proximity", name: "Proximity", .enumeration(["near", "far", "unknown"])),
        Property("opened", name: "Opened", .timestamp, category: .diagnostic),
        Property(
          "clash", name: "Clash", .binarySensor(deviceClass: "problem"), category: .diagnostic,
          isEnabledByDefault: false),
        Property("power", name: "Power", .switch(deviceClass: "outlet"), verbs: [.set]),
        Property(
          "light", name: "Light", .switch(), verbs: [.set], category: .config, isAssumed: true),
        Property(
          "throttle", name: "Throttle", .number(.init(0...100, step: 0.5), .init(unit: "%")), verbs: [.set]),
        Property(
          "mode", name: "Mode", .select(["slow", "normal", "fast"]), verbs: [.set], category: .config),
        Property("stop", name: "Stop", .button(), verbs: [.set]),
        Property("restart", name: "Restart", .button(deviceClass: "restart"), verbs: [.set]),
        Property("voice", name: "Voice", .text(maximumLength: 40, pattern: "[a-z ]+"), verbs: [.set]),
        Property("lock", name: "Lock", .lock, verbs: [.set]),
        Property(
          "gate", name: "Gate", .cover(deviceClass: nil, canClose: true, canStop: true), verbs: [.set]),
        Property("window", name: "Window", .cover(deviceClass: "window", canClose: true, canStop: true)),
        Property("presence", name: "Presence", .deviceTracker(sourceType: "bluetooth_le")),
        Property("location", name: "Location", .deviceTracker(sourceType: "gps")),
        Property("schedule", name: "Schedule", .structured, verbs: [.set, .put, .delete]),
        Property("target", name: "Target", .structured, verbs: [.set]),
        Property("presence/anna", name: "Anna", .command, verbs: [.set]),
      ],
      eventTypes: ["opened", "refused"])
    device.area = "Keller"
    device.icon = "mdi:garage"
    device.extras = Set(DiscoverableDevice.Extra.allCases)
    device.bluetoothAddress = BluetoothAddress("C0:DE:00:00:00:01")
    return device
  }
}

extension Discovery {
  /// The message on this topic.
  func payload(_ topic: String) throws -> Value.Members {
    guard case .object(let members)? = try #require(messages.first { $0.topic == topic }).payload else {
      throw Missing(name: topic)
    }
    return members
  }

  /// One entity of a device message.
  func component(_ key: String, of device: String = "garden_plug") throws -> Value.Members {
    let payload = try payload("homeassistant/device/sketch2mqtt_main_\(device)/config")
    return try payload.members("components").members(key)
  }
}

extension Value.Members {
  func members(_ name: String) throws -> Value.Members {
    guard case .object(let members)? = self[name] else { throw Missing(name: name) }
    return members
  }

  func text(_ name: String) throws -> String {
    guard case .text(let text)? = self[name] else { throw Missing(name: name) }
    return text
  }
}

struct Missing: Error {
  var name: String
}
