/// What all discovery messages of one bridge have in common.
public struct DiscoverySettings: Hashable, Sendable {
  public var form: Form
  /// Home Assistant's discovery prefix.
  public var prefix: String
  /// The base topic of the bridge's own topics.
  public var base: String
  /// The bridge's name.
  public var bridge: String
  /// The bridge's own version, shown as the origin of every entity.
  public var softwareVersion: String
  /// A page for help, `http` or `https`; Home Assistant refuses messages with anything else.
  public var supportURL: String?

  public init(
    form: Form = .device, prefix: String = "homeassistant", base: String = "sketch2mqtt",
    bridge: String = "main", softwareVersion: String, supportURL: String? = nil
  ) {
    self.form = form
    self.prefix = prefix
    self.base = base
    self.bridge = bridge
    self.softwareVersion = softwareVersion
    self.supportURL = supportURL
  }

  /// How a device is announced; the words of the configuration.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// One message for a whole device. Home Assistant 2024.11 and later.
    case device
    /// One message for each entity, in what Home Assistant 2024.3 and all later versions understand.
    case components
    /// Nothing is announced.
    case off
  }
}
