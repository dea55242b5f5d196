import DeviceModel

/// What waits to be sent over a link, bounded, in order, with each send's policy kept.
struct Outbox {
  /// Bytes that may wait; more ends the link.
  static let limit = 64 * 1024

  private struct Entry {
    var send: Output.Send
    var expiry: Duration?
    var written = 0
  }

  private var entries: [Entry] = []
  private(set) var byteCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Appends `send`, or puts it in the place of one that it supersedes, whose number is returned.
  ///
  /// - Parameter now: Time on any clock that does not jump.
  mutating func append(_ send: Output.Send, at now: Duration) throws(LinkFailure) -> UInt64? {
    var superseded: UInt64?
    if case .latest(let word) = send.policy,
      let index = entries.firstIndex(where: { $0.send.policy == .latest(word) && $0.written == 0 })
    {
      byteCount -= entries[index].send.bytes.count
      superseded = entries[index].send.number
      entries.remove(at: index)
    }
    guard byteCount + send.bytes.count <= Self.limit else { throw .overflow(limit: Self.limit) }
    byteCount += send.bytes.count
    var expiry: Duration?
    if case .expires(let time) = send.policy { expiry = now + time }
    entries.append(Entry(send: send, expiry: expiry))
    return superseded
  }

  /// Drops what is overdue and not begun; returns the numbers of what was dropped.
  mutating func dropExpired(at now: Duration) -> [UInt64] {
    var dropped: [UInt64] = []
    entries.removeAll { entry in
      guard let expiry = entry.expiry, expiry <= now, entry.written == 0 else { return false }
      byteCount -= entry.send.bytes.count
      if let number = entry.send.number { dropped.append(number) }
      return true
    }
    return dropped
  }

  /// The bytes of the first send that are still to be written.
  var head: ArraySlice<UInt8>? {
    guard let first = entries.first else { return nil }
    return first.send.bytes[first.written...]
  }

  /// Takes `count` bytes off the first send; returns its number when that ends it and it has one.
  mutating func advance(by count: Int) -> UInt64? {
    entries[0].written += count
    byteCount -= count
    guard entries[0].written == entries[0].send.bytes.count else { return nil }
    return entries.removeFirst().send.number
  }

  /// Forgets everything; returns the numbers of what did not leave whole.
  mutating func removeAll() -> [UInt64] {
    let numbers = entries.compactMap(\.send.number)
    entries.removeAll()
    byteCount = 0
    return numbers
  }
}
