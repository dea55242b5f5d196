import EventLoop
import MQTT

/// Recognizes the copies of one message that a broker delivers for several subscriptions.
struct RepeatedDelivery {
  private var recent: [(message: Message, time: MonotonicTime)] = []

  /// Copies come in one go, and no person says the same twice in this time.
  private static let window = Duration.milliseconds(50)
  private static let most = 32

  mutating func isRepeated(_ message: Message, at now: MonotonicTime) -> Bool {
    recent.removeAll { $0.time.duration(to: now) > Self.window }
    if recent.contains(where: { $0.message.topic == message.topic && $0.message.payload == message.payload })
    {
      return true
    }
    if recent.count == Self.most { recent.removeFirst() }
    recent.append((message, now))
    return false
  }
}
