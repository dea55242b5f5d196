/// What a connection shows besides messages.
public enum MQTTNotice: Equatable, Sendable {
  /// A message of this many bytes is larger than ``MQTTSettings/payloadLimit`` and was dropped unread. MQTT 5
  /// brokers keep such messages back, and nobody hears of them.
  case dropped(bytes: Int, topic: String)
  /// After a publish was refused as ``PublishResult/full``: half of the room is free again.
  case hasRoom
  /// The broker does not take a message that was published to the topic. Told once in a connection for all topics
  /// of one first level; the others are counted. MQTT 3.1.1 has no way to say it.
  case publishRefused(topic: String, Refusal)
  /// The broker does not let us subscribe to the filter.
  case subscriptionRefused(TopicFilter, Refusal)
}
