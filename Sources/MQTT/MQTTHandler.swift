public import EventLoop

/// Whom a client tells. All calls come on the loop, and any method of the client may be called from them.
@Loop public protocol MQTTHandler: AnyObject {
  /// The broker accepted us and all subscriptions are on their way, ahead of anything published from here on.
  func mqttConnected(_ session: MQTTSession)
  /// The connection ended, or an attempt at one failed; the next follows by itself after `retry`, `nil` when
  /// stopped.
  func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?)
  func mqttReceived(_ message: Message)
  /// A message of this many bytes is larger than ``MQTTSettings/payloadLimit`` and was dropped unread. MQTT 5
  /// brokers keep such messages back, and nobody hears of them.
  func mqttDropped(_ bytes: Int, on topic: String)
  /// After a publish was refused as ``PublishResult/full``: half of the room is free again.
  func mqttHasRoom()
  /// The broker does not let us subscribe to `filter`.
  func mqttSubscriptionRefused(_ filter: TopicFilter, _ refusal: Refusal)
}

extension MQTTHandler {
  /// The counters tell enough.
  public func mqttDropped(_ bytes: Int, on topic: String) {}
}
