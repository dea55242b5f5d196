/// What was asked of the boards, what they were given, and what was refused.
///
/// An event does not say which command it refuses. But of those that one bridge was sent for one property, no more
/// can have been carried out than there are without the refused ones: that needs no order and no attribution.
struct StormLedger: Sendable {
  /// A property of a device, or the raw bytes of a device.
  struct Lane: Hashable, Sendable {
    var device: String
    var property: String?
  }

  /// The time of one process of the bridge with one of the broker, neither with anything left from before.
  struct Spell: Sendable {
    var sent: [Lane: Set<Int>] = [:]
    var refused: [Lane: Int] = [:]
  }

  var sent: Set<Int> = []
  /// Those that nobody may carry out, and why.
  var forbidden: [Int: String] = [:]
  /// As the boards got them, of all lanes.
  var executed: [Int] = []
  var spells: [Spell] = []

  /// Reasons with which the board may have got the command all the same, now or when it wakes.
  static let uncertain: Set<String> = ["timeout", "link_error"]

  var refusals: Int { spells.reduce(0) { $0 + $1.refused.values.reduce(0, +) } }

  /// What must not be.
  var violations: [String] {
    let counts = Dictionary(executed.map { ($0, 1) }, uniquingKeysWith: +)
    var found = counts.filter { $0.value > 1 }.map { "command \($0.key) ran \($0.value) times" }
    found += counts.keys.filter { !sent.contains($0) }.map { "command \($0) ran and was never sent" }
    found += forbidden.filter { counts[$0.key] != nil }.map { "command \($0.key) ran: \($0.value)" }
    for spell in spells {
      for (lane, refused) in spell.refused {
        let sent = spell.sent[lane] ?? []
        let ran = sent.filter { counts[$0] != nil }
        if ran.count + refused > sent.count {
          found.append("\(lane): of \(sent.sorted()), \(refused) were refused, and \(ran.sorted()) ran")
        }
      }
    }
    return found.sorted()
  }
}
