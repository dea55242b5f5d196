import DeviceModel

/// Follows how the board moves the starts of its activations, and sees when it moves them wrongly or not at all.
///
/// After a cycle the board moves a start forward by one period; after a power cut, or when it returns to automatic,
/// by as many as needed. The classic sketch computes the step in 16 bits: above 1092 minutes it is too short.
struct StartWatch: Sendable {
  private var watched: [Int: Watched] = [:]

  private struct Watched: Hashable, Sendable {
    /// As its owner wants it; the start is that of one of its cycles.
    var activation: Activation
    /// Since when the start stands unmoved though its cycle is over.
    var overdueSince: Duration?
  }

  /// What is wrong with a table.
  struct Findings: Hashable, Sendable {
    /// By slot: what should stand there instead of an activation with a wrong start.
    var repairs: [Int: Activation] = [:]
    /// Names of activations that the board does not move: it does not know the time.
    var unmoved: [String] = []

    var isDrifting: Bool { !repairs.isEmpty || !unmoved.isEmpty }
  }

  /// A board may check its table this late, and not at all while a client is connected.
  static let patience = Duration.seconds(60)

  /// Takes a table that was read now.
  ///
  /// - Parameter isAutomatic: False while the board ignores its activations, or nothing is known of its mode.
  mutating func look(at table: [PlugSlot], isAutomatic: Bool, now: Moment) -> Findings {
    var findings = Findings()
    var next: [Int: Watched] = [:]
    for (slot, place) in table.enumerated() {
      guard let seen = place.activation else { continue }
      let before = watched[slot]
      if let believed = before?.activation, seen.isDrifted(from: believed, at: now.wall.seconds) {
        findings.repairs[slot] = believed.current(at: now.wall.seconds)
        next[slot] = before
        continue
      }
      var watch = Watched(activation: seen)
      if isAutomatic, seen.isOverdue(at: now.wall.seconds) {
        let since = before?.activation == seen ? before?.overdueSince ?? now.uptime : now.uptime
        watch.overdueSince = since
        if now.uptime - since >= Self.patience {
          if seen.boardStepSeconds == 0 {
            findings.repairs[slot] = seen.current(at: now.wall.seconds)
          } else {
            findings.unmoved.append(seen.name)
          }
        }
      }
      next[slot] = watch
    }
    watched = next
    return findings
  }

  /// The bridge wrote this, and it was read back.
  mutating func believe(_ activation: Activation?, in slot: Int) {
    watched[slot] = activation.map { Watched(activation: $0) }
  }
}

extension Activation {
  /// By how much the classic sketch moves a start: 60 × period in 16 bits.
  var boardStepSeconds: Int64 { periodSeconds & 0xFFFF }

  /// This, with the start that the board should have given it by `time`.
  func current(at time: Int64) -> Activation {
    guard let start = cycle(endingAfter: time).flatMap({ UInt32(exactly: $0) }) else { return self }
    var moved = self
    moved.start = start
    return moved
  }

  /// Whether the board may have made this of `earlier` by its own moving of starts, rightly or in 16 bits.
  func isMoved(from earlier: Activation) -> Bool {
    guard isSame(but: earlier), start > earlier.start, periodMinutes > 0 else { return false }
    let distance = startSeconds - earlier.startSeconds
    return distance.isMultiple(of: periodSeconds)
      || boardStepSeconds > 0 && distance.isMultiple(of: boardStepSeconds)
  }

  /// Whether the board made this of `believed` with a step that is too short. A person may change a start as well:
  /// that is told from a drift by the board's habit to move a start only when its cycle is over, by whole steps,
  /// and no further than the first that is to come.
  fileprivate func isDrifted(from believed: Activation, at time: Int64) -> Bool {
    guard isMoved(from: believed), !(startSeconds - believed.startSeconds).isMultiple(of: periodSeconds)
    else {
      return false
    }
    return believed.startSeconds + lengthSeconds <= time && startSeconds <= time + boardStepSeconds
  }

  /// Whether a cycle has been over for so long that the board should have moved the start.
  fileprivate func isOverdue(at time: Int64) -> Bool {
    guard periodMinutes > 0, (1..<periodMinutes).contains(lengthMinutes) else { return false }
    return startSeconds + lengthSeconds + StartWatch.patience.components.seconds <= time
  }

  private func isSame(but other: Activation) -> Bool {
    name == other.name && lengthMinutes == other.lengthMinutes && periodMinutes == other.periodMinutes
  }
}
