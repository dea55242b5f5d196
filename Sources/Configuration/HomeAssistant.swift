extension Configuration {
  /// How devices are announced to Home Assistant.
  public struct HomeAssistant: Sendable, Hashable {
    public var discovery: Discovery
    /// What discovery topics begin with.
    public var prefix: String
    /// Where Home Assistant says that it has started (its birth message).
    public var statusTopic: String

    public enum Discovery: String, Sendable, Hashable, CaseIterable {
      /// One message for a device.
      case device
      /// One message for each entity, as older ones understand it.
      case components
      case off
    }
  }
}
