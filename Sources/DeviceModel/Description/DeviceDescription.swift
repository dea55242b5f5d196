/// What a device is: who made it, and all that it tells and takes.
public struct DeviceDescription: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  /// The firmware's version, when the board tells it.
  public var softwareVersion: String?
  /// In the order in which a JSON `set` is applied, and in which documentation lists them.
  public var properties: [Property]
  /// The `event_type`s that the device fires; empty for a device without events.
  public var eventTypes: [String]

  public init(
    manufacturer: String? = nil, model: String? = nil, softwareVersion: String? = nil,
    properties: [Property], eventTypes: [String] = []
  ) {
    self.manufacturer = manufacturer
    self.model = model
    self.softwareVersion = softwareVersion
    self.properties = properties
    self.eventTypes = eventTypes
  }

  /// The fact of an event that names the property whose type it is.
  public static let eventSource = "property"

  public subscript(key: PropertyKey) -> Property? { properties.first { $0.key == key } }
}
