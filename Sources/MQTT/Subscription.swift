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
  /// Comes back with each message that this subscription brings, in ``Message/subscriptions``; 1 to 268,435,455.
  /// MQTT 3.1.1 and some brokers do not do this.
  public var number: UInt32?

  public init(
    _ filter: TopicFilter, qos: QualityOfService = .atLeastOnce, replay: RetainedReplay = .always,
    keepsRetainFlag: Bool = false, number: UInt32? = nil
  ) {
    self.filter = filter
    self.qos = qos
    self.replay = replay
    self.keepsRetainFlag = keepsRetainFlag
    self.number = number
  }
}

/// MQTT 5's retain handling, with its number on the wire. There is a third, which nobody needs here.
public enum RetainedReplay: UInt8, Sendable {
  case always = 0
  case never = 2
}
