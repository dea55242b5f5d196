import DeviceModel

/// One request to the board's table of PINs: read, change, read again.
///
/// Indices are only what the board itself has told in this session: old boards may count them otherwise than thought.
struct PINTask: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case list
    case add(GaragePIN)
    case change(GaragePIN)
    case delete
  }

  enum Phase: Hashable, Sendable {
    case reading
    /// The change has been sent; the board has a moment for it.
    case settling
    case verifying
    /// Another PIN than the one meant is gone: it has been given back.
    case repairing
    /// A newer board has the change, sealed, in the sending of this number.
    case sealed(UInt64)
  }

  let number: UInt64
  let action: Action
  /// Whose PIN; empty for a list.
  let name: String
  var phase = Phase.reading
  var table = PINTable()
  /// As it was before the change.
  var before: [Int: GaragePIN] = [:]
  /// A newer board refused an answer to the challenge before this one.
  var isSecondAnswer = false
  /// The entry that is changed or deleted.
  var index: Int?

  init(_ number: UInt64, _ action: Action, name: String) {
    self.number = number
    self.action = action
    self.name = name
  }

  enum Timing {
    /// For the first and for each further entry.
    static let answer = Duration.seconds(3)
    /// EEPROM takes 3.3 ms a byte; a loop may take its time.
    static let settling = Duration.milliseconds(500)
  }

  /// No PIN has the task's name yet.
  var isForNew: Bool { if case .add = action { true } else { action == .list } }

  /// What tells the board's PINs.
  static func read(_ master: GaragePIN) -> [UInt8] { master.bytes + [UInt8(ascii: "P")] }

  /// The change itself, for an index that is not the master's; nil where there is nothing to send.
  func write(_ master: GaragePIN) -> [UInt8]? {
    let place = index.flatMap { $0 > 0 ? UInt8(exactly: $0) : nil }
    switch (action, place) {
    case (.add(let pin), _): return master.bytes + [UInt8(ascii: "A")] + pin.bytes
    case (.change(let pin), let place?): return master.bytes + [UInt8(ascii: "E"), place] + pin.bytes
    case (.delete, let place?): return master.bytes + [UInt8(ascii: "D"), place]
    case (.list, _), (.change, nil), (.delete, nil): return nil
    }
  }

  /// Whether a table read afterwards holds what was wanted, and what else it lost.
  func outcome(_ after: [Int: GaragePIN]) -> Outcome {
    let lost = before.filter { $0.key != index && after[$0.key] != $0.value }.values
      .filter { pin in !after.values.contains(pin) }
    let strays = Array(lost)
    switch action {
    case .list: return Outcome(isDone: true, index: nil, strays: [])
    case .add(let pin):
      let place = after.filter { $0.value == pin }.keys.min()
      return Outcome(isDone: place != nil, index: place, strays: strays)
    case .change(let pin):
      return Outcome(isDone: index.map { after[$0] == pin } ?? false, index: index, strays: strays)
    case .delete:
      let old = index.flatMap { before[$0] }
      let isGone =
        old.map { pin in after.values.count { $0 == pin } < before.values.count { $0 == pin } } ?? false
      return Outcome(isDone: isGone, index: index, strays: strays)
    }
  }

  struct Outcome: Hashable, Sendable {
    var isDone: Bool
    var index: Int?
    /// PINs of others that are gone.
    var strays: [GaragePIN]
  }
}
