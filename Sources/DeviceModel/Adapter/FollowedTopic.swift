/// A topic outside the bridge's own that an adapter listens to.
public struct FollowedTopic: Hashable, Sendable {
  /// The adapter's own word for it; comes back in ``OutsideMessage/name``.
  public var name: String
  /// A topic filter as MQTT writes it; `+` and `#` stand for others.
  public var filter: String

  public init(_ name: String, filter: String) {
    self.name = name
    self.filter = filter
  }
}

/// A message on a topic that an adapter follows.
public struct OutsideMessage: Hashable, Sendable {
  /// ``FollowedTopic/name``.
  public var name: String
  public var topic: String
  public var payload: [UInt8]
  /// The broker kept it from an earlier time and replays it: nothing may move on its account.
  public var isRetained: Bool

  /// Longer payloads are not passed on. Bytes.
  public static let payloadLimit = 256 * 1024

  public init(_ name: String, topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.name = name
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
