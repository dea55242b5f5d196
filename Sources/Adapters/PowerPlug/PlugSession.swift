/// What is known and under way while the link is up.
struct PlugSession: Sendable {
  /// The board's first `S` is awaited.
  var isGreeting = true
  /// The board said something that parses.
  var hasSpoken = false
  var hasStatus = false
  /// An `S` came that was not the first of the session.
  var volunteersStatus = false
  /// A new link was asked for, or this one given up: nothing more is sent on it.
  var isOver = false
  /// The board did not answer as it must.
  var hasFailed = false
  var isFinished = false
  /// The last reply to `A` did not parse; a second in a row ends the asking.
  var hasBrokenTable = false
  var hasNoTable = false
  /// The table was asked for once more because there were bytes behind it.
  var hadExcess = false
  var awaitsTable = false
  /// All is done but an `S` that confirms a switching.
  var awaitsStatus = false
  var hasRepaired = false
  /// When the table was last read; nil when it is to be read.
  var tableReadAt: Duration?
  let beganAt: Duration

  /// Writes still to be sent, one at a time.
  var outbox: [Write] = []
  var nextWriteAt: Duration
  var job: TableJob?

  init(at now: Duration) {
    beganAt = now
    nextWriteAt = now
  }

  /// Has the table read once more, as at the beginning.
  mutating func readAnew() {
    tableReadAt = nil
    hasBrokenTable = false
    hasNoTable = false
    hadExcess = false
    hasRepaired = false
    isFinished = false
  }

  /// One command, in a write of its own: the board reads one at a time.
  enum Write: Hashable, Sendable {
    case askTable
    case state(UInt8)
    /// Nil clears the slot.
    case slot(UInt8, Activation?)

    var bytes: [UInt8] {
      switch self {
      case .askTable: [UInt8(ascii: "A")]
      case .state(let state): [UInt8(ascii: "S"), state]
      case .slot(let index, nil): [UInt8(ascii: "D"), index]
      case .slot(let index, let activation?): [UInt8(ascii: "U"), index] + activation.encoded
      }
    }
  }

  /// Slots that were written and are to be read back.
  struct TableJob: Hashable, Sendable {
    /// The batch to reject; nil for a repair.
    var batch: UInt64?
    /// What the slots should hold; nil for a free one.
    var wanted: [Int: Activation?]
    var hasRetried = false

    var writes: [Write] {
      wanted.sorted { $0.key < $1.key }.compactMap { slot, activation in
        UInt8(exactly: slot).map { .slot($0, activation) }
      }
    }

    /// What of it a table does not hold; the board may have moved a start since it was written.
    func missing(in table: [PlugSlot]) -> [Int: Activation?] {
      wanted.filter { slot, activation in
        guard table.indices.contains(slot) else { return true }
        let seen = table[slot]
        guard let activation else { return seen != .free }
        return seen.activation != activation && seen.activation?.isMoved(from: activation) != true
      }
    }
  }
}
