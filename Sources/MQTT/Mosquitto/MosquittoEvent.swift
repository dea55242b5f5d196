import EventLoop

/// What a ``MosquittoHandle`` reports.
enum MosquittoEvent {
  case answered(MosquittoAnswer)
  /// The connection ended, or never came to be.
  case closed(MosquittoEnd)
  /// The library has sent (QoS 0) or got acknowledged the message of this number.
  case published(Int32, reason: Int32)
  case received(Message)
  /// A message of so many bytes arrived, too large to be passed on.
  case oversized(topic: String, bytes: Int)
  /// The broker answered a subscription with the granted QoS or a refusal (0x80 and above).
  case subscribed(Int32, granted: Int32)
}

/// The broker's answer to our CONNECT.
struct MosquittoAnswer {
  /// 0 accepts.
  var code: Int32
  var keepsRetained: Bool
  var numbersSubscriptions: Bool
}

@Loop protocol MosquittoOwner: AnyObject {
  func mosquitto(_ handle: MosquittoHandle, _ event: MosquittoEvent)
}
