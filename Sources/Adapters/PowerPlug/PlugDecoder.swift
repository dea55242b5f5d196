/// Cuts the plug's stream into messages, however TCP has glued or broken it.
///
/// `S` has two bytes, each 0 or 1. `A` is followed by the table, whose length nothing states: it ends when as many
/// slots have come as the board is known to have, else at a silence, for which the owner of the decoder waits
/// (``silence``) and then calls ``settle(into:)``.
struct PlugDecoder: Sendable {
  private(set) var slots: SlotCount
  private var state = State.between
  private var table: [UInt8] = []
  /// A table was asked for, or none was sent yet since ``reset()``.
  private var mayBeginTable = true
  private var hasTableBehind = false
  private var tablesByCount = 0

  /// How many slots the board has, and how that is known.
  enum SlotCount: Hashable, Sendable {
    case unknown
    /// One table had this many; a second one has to agree.
    case seen(Int)
    case learnt(Int)
    case configured(Int)

    /// What a board has of which nothing is known.
    static let common = 10
  }

  private enum State: Hashable, Sendable {
    case between
    /// Behind `S`.
    case status
    /// Behind `S` and its first byte.
    case statusMode(isManual: Bool)
    case table
  }

  /// A learnt count is checked against a silence at every so many tables: a board may have new firmware.
  static let tablesByCountInARow = 30

  init(slots: Int? = nil) {
    self.slots = slots.map(SlotCount.configured) ?? .unknown
  }

  /// The count that two tables agreed on; nil when there is none, or it is configured.
  var learntSlots: Int? {
    guard case .learnt(let count) = slots else { return nil }
    return count
  }

  /// Takes what an earlier life learnt, where nothing is configured.
  mutating func recall(slots count: Int) {
    if case .unknown = slots { slots = .learnt(count) }
  }

  /// Begins a new stream; what is known of the board stays.
  mutating func reset() {
    state = .between
    table.removeAll()
    mayBeginTable = true
    hasTableBehind = false
  }

  /// `A` was sent: the next `A` that comes begins a table.
  mutating func expectTable() { mayBeginTable = true }

  var isConfigured: Bool {
    guard case .configured = slots else { return false }
    return true
  }

  var isInTable: Bool { state == .table }
  var isBetweenMessages: Bool { state == .between }

  /// How long nothing must come for the table to be over.
  ///
  /// Short only when there is at least what a common board has: a lost segment comes again after 200 ms or more.
  var silence: Duration {
    let count = table.count / Activation.size
    switch slots {
    case .unknown, .seen: return count >= SlotCount.common ? .milliseconds(250) : .seconds(1)
    case .learnt(let known), .configured(let known):
      return count >= known ? .milliseconds(250) : .seconds(1)
    }
  }

  mutating func receive(_ bytes: [UInt8], into frames: inout [PlugFrame]) {
    var noise = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch state {
      case .between:
        index += 1
        if byte == UInt8(ascii: "S") {
          state = .status
        } else if byte == UInt8(ascii: "A"), mayBeginTable {
          flush(&noise, into: &frames)
          state = .table
          mayBeginTable = false
        } else {
          noise += 1
        }
      case .status:
        guard byte <= 1 else {
          noise += 1
          state = .between
          continue
        }
        index += 1
        state = .statusMode(isManual: byte == 1)
      case .statusMode(let isManual):
        state = .between
        guard byte <= 1 else {
          noise += 2
          continue
        }
        index += 1
        flush(&noise, into: &frames)
        frames.append(.status(PlugStatus(isManual: isManual, isOn: byte == 1)))
      case .table:
        index += takeTable(bytes[index...], into: &frames)
      }
    }
    flush(&noise, into: &frames)
  }

  /// Nothing has come for a while: what there is of a table is all of it.
  mutating func settle(into frames: inout [PlugFrame]) {
    guard state == .table else { return }
    let bytes = table
    endTable()
    let statuses = Self.statuses(behind: bytes)
    let size = bytes.count - 3 * statuses.count
    guard size > 0, size.isMultiple(of: Activation.size) else {
      return frames.append(
        .brokenTable(bytes: 1 + bytes.count, "a table of \(bytes.count) bytes is no whole number of slots"))
    }
    hasTableBehind = true
    frames.append(accept(Array(bytes[..<size])))
    frames.append(contentsOf: statuses.map(PlugFrame.status))
  }

  private mutating func takeTable(_ rest: ArraySlice<UInt8>, into frames: inout [PlugFrame]) -> Int {
    let known = sizeByCount
    let limit = known ?? PlugSlot.most * Activation.size + 3 * Self.mostStatuses
    let part = rest.prefix(limit - table.count)
    table.append(contentsOf: part)
    if let known, table.count == known {
      let bytes = table
      endTable()
      hasTableBehind = true
      tablesByCount += 1
      frames.append(.table(bytes))
    } else if part.isEmpty {
      frames.append(.brokenTable(bytes: 1 + table.count, "a table does not end after \(table.count) bytes"))
      endTable()
    }
    return part.count
  }

  /// Bytes of a table that need no silence behind them.
  private var sizeByCount: Int? {
    switch slots {
    case .configured(let count): count * Activation.size
    case .learnt(let count):
      tablesByCount < Self.tablesByCountInARow ? count * Activation.size : nil
    case .unknown, .seen: nil
    }
  }

  private mutating func endTable() {
    table.removeAll(keepingCapacity: true)
    state = .between
  }

  /// Fewer slots than before are believed only when they come twice: a table may have been cut short.
  private mutating func accept(_ bytes: [UInt8]) -> PlugFrame {
    let count = bytes.count / Activation.size
    tablesByCount = 0
    switch slots {
    case .configured(let known) where count != known:
      return .brokenTable(
        bytes: 1 + bytes.count, "a table of \(count) slots, where \(known) are configured")
    case .learnt(let known) where count < known, .seen(let known) where count < known:
      slots = .seen(count)
      return .brokenTable(bytes: 1 + bytes.count, "a table of \(count) slots, where \(known) came before")
    case .configured: break
    case .seen(count), .learnt(count): slots = .learnt(count)
    case .unknown, .seen, .learnt: slots = .seen(count)
    }
    return .table(bytes)
  }

  /// Reports bytes passed over; behind a table they cast doubt on the count of its slots.
  private mutating func flush(_ noise: inout Int, into frames: inout [PlugFrame]) {
    guard noise > 0 else { return }
    if hasTableBehind {
      switch slots {
      case .learnt, .seen: slots = .unknown
      case .unknown, .configured: break
      }
      frames.append(.excess(bytes: noise))
    } else {
      frames.append(.noise(bytes: noise))
    }
    noise = 0
  }

  private static let mostStatuses = 9

  /// `S` messages glued to the end of a table: their bytes are what is too much for whole slots.
  private static func statuses(behind bytes: [UInt8]) -> [PlugStatus] {
    guard
      let count = (0...mostStatuses).first(where: {
        bytes.count >= 3 * $0 && (bytes.count - 3 * $0).isMultiple(of: Activation.size)
      })
    else { return [] }
    var statuses: [PlugStatus] = []
    for start in stride(from: bytes.count - 3 * count, to: bytes.count, by: 3) {
      guard bytes[start] == UInt8(ascii: "S"), bytes[start + 1] <= 1, bytes[start + 2] <= 1 else { return [] }
      statuses.append(PlugStatus(isManual: bytes[start + 1] == 1, isOn: bytes[start + 2] == 1))
    }
    return statuses
  }
}
