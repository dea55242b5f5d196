import EventLoop

/// What a ``MosquittoHandle`` reports.
enum MosquittoEvent {
  /// The broker answered our CONNECT with this code; 0 accepts.
  case answered(Int32)
  /// The connection ended, or never came to be.
  case closed(MosquittoEnd)
  /// The library has sent (QoS 0) or got acknowledged the message of this number.
  case published(Int32, reason: Int32)
  case received(Message)
  /// A message of so many bytes arrived, too large to be passed on.
  case oversized(bytes: Int)
  /// The broker answered a subscription with the granted QoS or a refusal (0x80 and above).
  case subscribed(Int32, granted: Int32)
}

@Loop protocol MosquittoOwner: AnyObject {
  func mosquitto(_ handle: MosquittoHandle, _ event: MosquittoEvent)
}
