public import EventLoop

/// Whom a client tells. All calls come on the loop, and any method of the client may be called from them.
@Loop public protocol MQTTHandler: AnyObject {
  /// The broker accepted us and all subscriptions are on their way, ahead of anything published from here on.
  func mqttConnected(_ session: MQTTSession)
  /// The connection ended, or an attempt at one failed; the next follows by itself after `retry`, `nil` when
  /// stopped.
  func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?)
  func mqttReceived(_ message: Message)
  func mqttNoticed(_ notice: MQTTNotice)
}
