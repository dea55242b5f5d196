import EventLoop
import MQTT

/// What the bridge listens to: its own topics, and those of others that adapters follow.
///
/// A broker delivers a message once for each subscription that it fits. With MQTT 5 each delivery tells which one that
/// is: a command that an adapter's filter fits as well is carried out once, and as its own subscription asks (a
/// retained one is refused).
@Loop final class Subscriptions {
  /// Who follows a filter, and under which name of its own.
  struct Follower: Hashable, Sendable {
    var device: String
    var name: String
  }

  private struct Entry {
    /// As the bridge itself needs it; nil when only followed.
    var own: Subscription?
    var followers: [Follower] = []
    var filter: TopicFilter
    var number: UInt32
  }

  private var entries: [String: Entry] = [:]
  private var byNumber: [UInt32: String] = [:]
  private var lastNumber: UInt32 = 1
  private weak var client: MQTTClient?
  private var repeats = RepeatedDelivery()

  /// Of all own subscriptions.
  private static let ownNumber: UInt32 = 1

  /// Subscribes everything with this client, now and after each of its connections.
  func attach(to client: MQTTClient) {
    self.client = client
    for entry in entries.values.sorted(by: { $0.filter.text < $1.filter.text }) { apply(entry) }
  }

  // MARK: own topics

  func subscribe(_ filter: TopicFilter, isCommand: Bool, replay: RetainedReplay) {
    var entry = entries[filter.text] ?? newEntry(filter)
    let own = Subscription(
      filter, replay: isCommand ? .never : replay, keepsRetainFlag: isCommand, number: Self.ownNumber)
    guard entry.own != own else { return }
    entry.own = own
    store(entry)
  }

  func unsubscribe(_ filter: TopicFilter) {
    guard var entry = entries[filter.text], entry.own != nil else { return }
    entry.own = nil
    store(entry)
  }

  // MARK: topics of others

  func follow(_ filter: TopicFilter, _ follower: Follower) {
    var entry = entries[filter.text] ?? newEntry(filter)
    entry.followers.append(follower)
    // The bridge's own subscription to the same filter is the stricter one.
    if entry.own == nil, entry.followers.count > 1 { entries[filter.text] = entry } else { store(entry) }
  }

  /// Ends all that this device follows.
  func unfollow(_ device: String) {
    for var entry in entries.values where entry.followers.contains(where: { $0.device == device }) {
      entry.followers.removeAll { $0.device == device }
      if entry.followers.isEmpty { store(entry) } else { entries[entry.filter.text] = entry }
    }
  }

  /// Whom a message is for.
  struct Recipients {
    /// It came by a subscription of the bridge's own.
    var isOwn = true
    var followers: [Follower] = []
  }

  func recipients(of message: Message) -> Recipients {
    guard !byNumber.isEmpty else { return Recipients() }
    if message.subscriptions.isEmpty { return recipientsByTopic(message) }
    var recipients = Recipients(isOwn: message.subscriptions.contains(Self.ownNumber))
    for number in message.subscriptions {
      if let text = byNumber[number], let entry = entries[text] { recipients.followers += entry.followers }
    }
    // Those who follow a filter of the bridge's own are not numbered.
    if recipients.isOwn {
      for entry in entries.values where entry.own != nil && !entry.followers.isEmpty {
        if entry.filter.matches(message.topic) { recipients.followers += entry.followers }
      }
    }
    return recipients
  }

  /// MQTT 3.1.1 does not tell by which subscription a message comes: the copies, which follow each other at once, are
  /// taken for one message.
  private func recipientsByTopic(_ message: Message) -> Recipients {
    let fitting = entries.values.filter { $0.filter.matches(message.topic) }
    if fitting.count > 1, repeats.isRepeated(message, at: .now) { return Recipients(isOwn: false) }
    return Recipients(isOwn: fitting.contains { $0.own != nil }, followers: fitting.flatMap(\.followers))
  }

  // MARK: the client

  private func newEntry(_ filter: TopicFilter) -> Entry {
    lastNumber += 1
    return Entry(filter: filter, number: lastNumber)
  }

  private func store(_ entry: Entry) {
    let isFollowed = !entry.followers.isEmpty
    byNumber[entry.number] = isFollowed ? entry.filter.text : nil
    if entry.own == nil, !isFollowed {
      entries[entry.filter.text] = nil
      client?.unsubscribe(entry.filter)
    } else {
      entries[entry.filter.text] = entry
      apply(entry)
    }
  }

  private func apply(_ entry: Entry) {
    client?.subscribe(entry.own ?? Subscription(entry.filter, replay: .never, number: entry.number))
  }
}
