/// A message that arrived for one of the subscriptions.
public struct Message: Equatable, Sendable {
  public var topic: String
  public var payload: [UInt8]
  public var qos: QualityOfService
  /// The broker's retain flag: set on what it replays at a subscription, and, with MQTT 5 and
  /// ``Subscription/keepsRetainFlag``, on what a client published as retained just now.
  public var isRetained: Bool
  /// Always empty with MQTT 3.1.1.
  public var properties: MessageProperties
  /// Of the subscriptions that this delivery is for, those that have a ``Subscription/number``.
  public var subscriptions: [UInt32]

  public init(
    topic: String, payload: [UInt8], qos: QualityOfService = .atMostOnce, isRetained: Bool = false,
    properties: MessageProperties = MessageProperties(), subscriptions: [UInt32] = []
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.properties = properties
    self.subscriptions = subscriptions
  }

  /// The payload as text; `nil` when it is not valid UTF-8.
  public var text: String? { String(validating: payload, as: UTF8.self) }
}
