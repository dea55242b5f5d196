/// What became of a publish.
public enum PublishResult: Equatable, Sendable {
  /// Sent, or on its way: QoS 0 until the connection ends, QoS 1 and 2 also across a short loss of it.
  case accepted
  /// There is no connection; nothing was kept.
  case notConnected
  /// ``MQTTSettings/outgoingLimit`` is reached; nothing was kept. ``MQTTNotice/hasRoom`` follows.
  case full
  /// Larger than ``MQTTSettings/payloadLimit`` or than the broker takes.
  case tooLarge
  /// The topic cannot be published to.
  case invalidTopic
  /// The library could not take it; ``MQTTCounters/lastError`` has its words.
  case failed
}
