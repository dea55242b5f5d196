public import DeviceModel

/// A message for Home Assistant's discovery. Retained, QoS 1.
public struct DiscoveryMessage: Hashable, Sendable {
  public var topic: String
  /// An object to publish as JSON; nil for the empty payload, which removes what was announced on this topic.
  public var payload: Value?

  public init(_ topic: String, _ payload: Value?) {
    self.topic = topic
    self.payload = payload
  }
}
