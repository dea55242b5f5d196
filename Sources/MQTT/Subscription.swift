/// How a topic filter is subscribed.
public struct Subscription: Hashable, Sendable {
  public var filter: TopicFilter
  /// The most the broker shall use towards us.
  public var qos: QualityOfService
  /// When the broker replays its retained messages. MQTT 3.1.1 always replays.
  public var replay: RetainedReplay
  /// Whether a message published as retained just now still carries the flag when it arrives ('retain as
  /// published'). MQTT 3.1.1 always clears it.
  public var keepsRetainFlag: Bool

  public init(
    _ filter: TopicFilter, qos: QualityOfService = .atLeastOnce, replay: RetainedReplay = .always,
    keepsRetainFlag: Bool = false
  ) {
    self.filter = filter
    self.qos = qos
    self.replay = replay
    self.keepsRetainFlag = keepsRetainFlag
  }
}

/// MQTT 5's retain handling, with its number on the wire.
public enum RetainedReplay: UInt8, Sendable {
  case always = 0
  case onlyIfNew = 1
  case never = 2
}
