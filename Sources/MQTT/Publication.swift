/// A message to publish, as a value: the will, and what is said last before a clean stop.
public struct Publication: Equatable, Sendable {
  public var topic: String
  public var payload: [UInt8]
  public var qos: QualityOfService
  public var retain: Bool

  public init(
    topic: String, payload: [UInt8], qos: QualityOfService = .atLeastOnce, retain: Bool = false
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.retain = retain
  }

  public init(
    topic: String, text: String, qos: QualityOfService = .atLeastOnce, retain: Bool = false
  ) {
    self.init(topic: topic, payload: Array(text.utf8), qos: qos, retain: retain)
  }
}
