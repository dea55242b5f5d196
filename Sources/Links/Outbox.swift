import DeviceModel

/// What waits to be sent over a link, bounded, in order, with each send's policy kept.
struct Outbox {
  /// Bytes that may wait, each send counted with ``overhead``; more ends the link.
  static let limit = 64 * 1024
  /// What a send takes beside its bytes, so that many short ones are bounded as well.
  static let overhead = 32

  private struct Entry {
    var send: Output.Send
    var expiry: Duration?
    var written = 0

    var cost: Int { send.bytes.count + Outbox.overhead }
  }

  private var entries: [Entry] = []
  private var cost = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Appends `send`, and drops the one that it supersedes, whose number is returned. What is later stays later: a
  /// value comes after all that was sent before it, even where an older value had its place in front.
  ///
  /// Throws when there is no room; nothing has changed then.
  ///
  /// - Parameter now: Time on any clock that does not jump.
  mutating func append(_ send: Output.Send, at now: Duration) throws(LinkFailure) -> UInt64? {
    var entry = Entry(send: send)
    if case .expires(let time) = send.policy { entry.expiry = now + time }
    let superseded = entries.firstIndex { old in
      guard case .latest = send.policy else { return false }
      return old.send.policy == send.policy && old.written == 0
    }
    let freed = superseded.map { entries[$0].cost } ?? 0
    guard cost - freed + entry.cost <= Self.limit else { throw .overflow(limit: Self.limit) }
    cost += entry.cost - freed
    entries.append(entry)
    return superseded.flatMap { entries.remove(at: $0).send.number }
  }

  /// Drops what `send` overtakes, which is to be appended then: all that is not begun, but for what overtook before
  /// it. Returns the numbers of what was dropped.
  mutating func makeWay(for send: Output.Send) -> [UInt64] {
    guard send.policy == .overtaking else { return [] }
    return drop { $0.written == 0 && $0.send.policy != .overtaking }
  }

  /// When the next of those that are not begun is overdue.
  var nextExpiry: Duration? {
    entries.lazy.filter { $0.written == 0 }.compactMap(\.expiry).min()
  }

  /// Drops what is overdue and not begun; returns the numbers of what was dropped.
  mutating func dropExpired(at now: Duration) -> [UInt64] {
    drop { entry in
      guard let expiry = entry.expiry else { return false }
      return expiry <= now && entry.written == 0
    }
  }

  private mutating func drop(where isToGo: (Entry) -> Bool) -> [UInt64] {
    var dropped: [UInt64] = []
    entries.removeAll { entry in
      guard isToGo(entry) else { return false }
      cost -= entry.cost
      if let number = entry.send.number { dropped.append(number) }
      return true
    }
    return dropped
  }

  /// The bytes of the first send that are still to be written; nil when nothing waits.
  var head: ArraySlice<UInt8>? {
    guard let first = entries.first else { return nil }
    return first.send.bytes[first.written...]
  }

  /// Takes `count` bytes, at most those of ``head``, off the first send; returns its number when that ends it and
  /// it has one.
  mutating func advance(by count: Int) -> UInt64? {
    entries[0].written += count
    guard entries[0].written == entries[0].send.bytes.count else { return nil }
    let ended = entries.removeFirst()
    cost -= ended.cost
    return ended.send.number
  }

  /// Forgets everything; returns the numbers of what did not leave whole.
  mutating func removeAll() -> [UInt64] {
    let numbers = entries.compactMap(\.send.number)
    entries.removeAll()
    cost = 0
    return numbers
  }
}
