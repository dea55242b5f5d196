public import DeviceModel

/// The checked settings of a bridge.
///
/// Two are equal if they mean the same, wherever it is written; so are two of its parts.
public struct Configuration: Sendable, Hashable {
  public var mqtt: Configuration.Broker
  public var homeAssistant: Configuration.HomeAssistant
  public var bluetooth: Configuration.Bluetooth
  public var output: Output
  /// Beside those among the devices.
  public var accept: AcceptancePolicy
  public var logLevel: LogLevel
  /// Their ids are unique.
  public var devices: [Configuration.Device]

  /// How a device's state is published.
  public enum Output: String, Sendable, Hashable, CaseIterable {
    /// One JSON object on the device's topic.
    case json
    /// Each property bare on a topic of its own.
    case values
    case both
  }
}
