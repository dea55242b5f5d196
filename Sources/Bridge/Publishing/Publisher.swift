import EventLoop
import MQTT

/// Everything the bridge says to the broker, in the right order and bounded.
@Loop final class Publisher {
  /// Set by the owner once the client exists.
  var client: MQTTClient?

  private var topics: [String: RetainedTopic] = [:]
  private var pending = [[RetainedTopic]](repeating: [], count: RetainedTopic.Rank.allCases.count)
  private var pendingCount = 0
  private(set) var isConnected = false
  /// Events and log lines that found no connection or no room.
  private(set) var dropped = 0
  /// Called when a topic was cleared and is not ours any more.
  var onCleared: @Loop () -> Void = {}
  /// Called when a publish that found no room may be tried again.
  var onRoom: [@Loop () -> Void] = []

  var waiting: Int { pendingCount }
  /// What stands on the broker or is to, and what is still to be cleared there.
  var ownedTopics: [String] { topics.values.filter { $0.payload != nil }.map(\.topic).sorted() }

  func owns(_ topic: String) -> Bool { topics[topic]?.payload != nil }

  /// The topic of this name, made when it is new.
  func retained(_ topic: String, rank: RetainedTopic.Rank) -> RetainedTopic {
    if let known = topics[topic] { return known }
    let new = RetainedTopic(topic, rank: rank, publisher: self)
    topics[topic] = new
    return new
  }

  func connected() {
    isConnected = true
    republishAll()
    offerRoom()
  }

  func disconnected() { isConnected = false }

  /// Everything that should stand on the broker is published again, in the order of ``RetainedTopic/Rank``.
  func republishAll() {
    for topic in topics.values.sorted(by: { $0.topic < $1.topic }) where topic.payload != nil {
      enqueue(topic)
    }
    flush()
  }

  func publish(_ topic: RetainedTopic) {
    if isConnected, pendingCount == 0, send(topic) { return }
    enqueue(topic)
    if isConnected { flush() }
  }

  /// Takes what waits for room out of the queue, as last words.
  func takeWaiting() -> [Publication] {
    defer {
      for rank in pending.indices { pending[rank].removeAll() }
      pendingCount = 0
    }
    return pending.joined().compactMap { topic in
      topic.isPending = false
      return topic.payload.map { Publication(topic: topic.topic, payload: $0, retain: true) }
    }
  }

  /// Publishes what nobody needs later: without a connection or room it is dropped and counted.
  func publishEvent(_ payload: [UInt8], to topic: String, properties: MessageProperties = MessageProperties())
  {
    let result = client?.publish(
      payload, to: topic, qos: .atLeastOnce, retain: false, properties: properties)
    if result != .accepted { dropped += 1 }
  }

  /// Publishes a stream's bytes at once; false when there is no room, and they must be offered again.
  func publishStream(_ payload: [UInt8], to topic: String, qos: QualityOfService) -> Bool {
    switch client?.publish(payload, to: topic, qos: qos, retain: false) {
    case .accepted: return true
    case .full: return false
    default:
      dropped += 1
      return true
    }
  }

  func hasRoom() {
    flush()
    offerRoom()
  }

  private func offerRoom() {
    if pendingCount == 0 { for body in onRoom { body() } }
  }

  /// Counts what was taken from a board and found no place.
  func countDropped() { dropped += 1 }

  private func enqueue(_ topic: RetainedTopic) {
    guard !topic.isPending else { return }
    topic.isPending = true
    pending[topic.rank.rawValue].append(topic)
    pendingCount += 1
  }

  private func flush() {
    guard isConnected, pendingCount > 0 else { return }
    for rank in pending.indices {
      var count = 0
      for topic in pending[rank] {
        guard send(topic) else { break }
        topic.isPending = false
        count += 1
      }
      pending[rank].removeFirst(count)
      pendingCount -= count
      if !pending[rank].isEmpty { return }
    }
  }

  private func send(_ topic: RetainedTopic) -> Bool {
    guard let client, let payload = topic.payload else { return true }
    switch client.publish(payload, to: topic.topic, qos: .atLeastOnce, retain: true) {
    case .accepted: break
    case .notConnected, .full: return false
    case .tooLarge, .invalidTopic, .failed: dropped += 1
    }
    if topic.isToBeCleared, topics[topic.topic] === topic {
      topics[topic.topic] = nil
      onCleared()
    }
    return true
  }
}
