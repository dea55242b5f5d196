import DeviceModel

/// What was learnt of a board and holds as long as its firmware does: worth keeping over a restart.
struct PlugFacts: Hashable, Sendable {
  /// That the board's table has; nil when it is not known, or configured.
  var slots: Int?
  var offByHand = SwitchOrder.OffByHand.untried

  init(slots: Int? = nil, offByHand: SwitchOrder.OffByHand = .untried) {
    self.slots = slots
    self.offByHand = offByHand
  }

  private static let words: [(String, SwitchOrder.OffByHand)] = [
    ("exists", .exists), ("returns_to_automatic", .returnsToAutomatic),
  ]

  /// What ``value`` gave; of anything else, what can be understood.
  init(_ value: Value) {
    guard case .object(let members) = value else { return }
    if case .integer(let count)? = members["slots"], (1...PlugSlot.most).contains(count) { slots = count }
    if case .text(let word)? = members["off_by_hand"], let known = Self.words.first(where: { $0.0 == word }) {
      offByHand = known.1
    }
  }

  var value: Value {
    var members = Value.Members()
    members["slots"] = slots.map { .integer($0) }
    members["off_by_hand"] = Self.words.first { $0.1 == offByHand }.map { .text($0.0) }
    return members.isEmpty ? .unknown : .object(members)
  }
}

extension PowerPlug {
  mutating func recall(_ value: Value) {
    kept = PlugFacts(value)
    if let slots = kept.slots { decoder.recall(slots: slots) }
    offByHand = kept.offByHand
  }

  /// Has what is new remembered.
  mutating func keepFacts(into outputs: inout [Output]) {
    let facts = PlugFacts(slots: decoder.learntSlots, offByHand: offByHand)
    guard facts != kept else { return }
    kept = facts
    outputs.append(.remember(facts.value))
  }
}
