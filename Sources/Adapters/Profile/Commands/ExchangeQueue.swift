import DeviceModel

/// What is to be sent, one after the other, each with its answer before the next.
struct ExchangeQueue: Sendable {
  /// More wait for nobody: a person would wonder what happens late.
  static let longest = 64

  struct Order: Sendable, Hashable {
    var batch: UInt64
    var property: PropertyKey
    /// What the property is when it is done.
    var value: Value
    /// Reported when it has left, or was confirmed: the board itself gives no evidence.
    var isReported: Bool
  }

  enum Origin: Sendable, Hashable {
    case connect
    case poll(Int)
    case command(Order)
  }

  struct Item: Sendable {
    var exchange: Exchange
    var origin: Origin
    /// Rendered for a command; templates without values else.
    var parts: [[UInt8]]

    init(_ exchange: Exchange, _ origin: Origin, parts: [[UInt8]] = []) {
      self.exchange = exchange
      self.origin = origin
      self.parts = parts
    }

    var order: Order? { if case .command(let order) = origin { order } else { nil } }
  }

  private var items: [Item] = []
  /// Sent, and not answered yet.
  var awaited: Item?
  /// The first item's next part.
  private var place = 0
  var isPausing = false

  var isEmpty: Bool { items.isEmpty && awaited == nil }
  var count: Int { items.count + (awaited == nil ? 0 : 1) }
  var hasRoom: Bool { count < Self.longest }

  mutating func add(_ item: Item) { items.append(item) }

  func has(poll index: Int) -> Bool {
    items.contains { $0.origin == .poll(index) } || awaited?.origin == .poll(index)
  }

  /// The next bytes to send; nil while an answer or the end of a pause is awaited. True with the last of an item, which
  /// is then awaited when an answer is expected.
  mutating func next() -> (item: Item, part: [UInt8], isLast: Bool)? {
    guard awaited == nil, !isPausing else { return nil }
    while let item = items.first {
      guard place < item.parts.count else {
        items.removeFirst()
        place = 0
        continue
      }
      let part = item.parts[place]
      place += 1
      let isLast = place == item.parts.count
      if isLast {
        items.removeFirst()
        place = 0
        if item.exchange.expectation != .none { awaited = item }
      }
      return (item, part, isLast)
    }
    return nil
  }

  /// Takes a failed batch out; what is on its way of it stays.
  mutating func remove(batch: UInt64) {
    if items.first?.order?.batch == batch { place = 0 }
    items.removeAll { $0.order?.batch == batch }
    if awaited?.order?.batch == batch { awaited = nil }
  }

  /// Empties it; the commands that were in it.
  mutating func removeAll() -> [Order] {
    defer { self = ExchangeQueue() }
    return ([awaited].compactMap(\.self) + items).compactMap(\.order)
  }
}
