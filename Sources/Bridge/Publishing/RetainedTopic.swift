import EventLoop

/// A topic whose latest payload stands on the broker.
///
/// It is told what should stand there and publishes only what is new. While the broker is away or has no room the
/// newest payload waits and older ones are forgotten.
@Loop final class RetainedTopic {
  let topic: String
  let rank: Rank
  /// nil: nothing was set yet. Empty: the topic is to be cleared.
  private(set) var payload: [UInt8]?
  var isPending = false
  private unowned let publisher: Publisher

  /// After a connection all is published again in this order: what explains comes before what it explains, and
  /// the word that the bridge is there comes last.
  enum Rank: Int, CaseIterable, Sendable {
    case bridgeDiscovery, discovery, availability, state, report, bridgeState
  }

  init(_ topic: String, rank: Rank, publisher: Publisher) {
    self.topic = topic
    self.rank = rank
    self.publisher = publisher
  }

  /// Publishes `bytes`, unless the broker has them.
  func set(_ bytes: [UInt8]) {
    guard payload != bytes else { return }
    payload = bytes
    publisher.publish(self)
  }

  func set(_ text: String) { set(Array(text.utf8)) }

  /// Publishes the present payload again.
  func repeatPayload() {
    if payload != nil { publisher.publish(self) }
  }

  /// Clears the topic on the broker; it counts as ours until the broker's client has taken that.
  func remove() { set([]) }

  var isToBeCleared: Bool { payload?.isEmpty == true }
}
