/// What a client counted since it was made.
public struct MQTTCounters: Equatable, Sendable {
  /// Publishes that wait to be sent or acknowledged, now.
  public internal(set) var queued = 0
  public internal(set) var published = 0
  public internal(set) var received = 0
  /// Publishes not taken because there was no connection or no room, or because they cannot be sent.
  public internal(set) var refused = 0
  /// Publishes that were taken and ended with a connection.
  public internal(set) var dropped = 0
  /// Publishes that the broker acknowledged with a refusal (MQTT 5).
  public internal(set) var declined = 0
  /// Messages that arrived larger than ``MQTTSettings/payloadLimit``.
  public internal(set) var oversized = 0
  public internal(set) var reconnects = 0
  /// The last thing that went wrong, for a person to read.
  public internal(set) var lastError: String?
}
