/// The lock's state, made of the latch and of what was commanded last.
struct LatchLock: Sendable {
  /// True = retracted, the door is usable; nil before the board has said so.
  private(set) var isOpen: Bool?
  private var order: Order?
  private var isJammed = false

  /// A command whose effect is awaited.
  private enum Order: Hashable, Sendable { case lock, unlock }

  enum State: String, Hashable, Sendable {
    case locked = "LOCKED"
    case locking = "LOCKING"
    case unlocked = "UNLOCKED"
    case unlocking = "UNLOCKING"
    case jammed = "JAMMED"
  }

  /// Nil while nothing is known.
  var state: State? {
    switch (order, isOpen) {
    case (.lock?, false?), (nil, false?): .locked
    case (.lock?, _): .locking
    case (.unlock?, false?), (.unlock?, nil): .unlocking
    case (.unlock?, true?): .unlocked
    case (nil, true?): isJammed ? .jammed : .unlocked
    case (nil, nil): nil
    }
  }

  var isMoving: Bool { order != nil }

  mutating func command(isLocking: Bool) {
    order = isLocking ? .lock : isOpen == true ? nil : .unlock
    isJammed = false
  }

  mutating func latch(isOpen: Bool) {
    self.isOpen = isOpen
    if !isOpen { isJammed = false }
    if isOpen, order == .unlock { order = nil }
  }

  /// The latch has had its time. After an unlocking it may lawfully stay closed: it is dark, or cold.
  mutating func settle() {
    isJammed = order == .lock && isOpen == true
    order = nil
  }

  /// Nothing is under way any more; what the latch said last holds.
  mutating func abandon() { order = nil }
}
