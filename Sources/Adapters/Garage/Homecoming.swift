import DeviceModel

/// One person's way home, as a Mealy machine: inside the house or not, and which input opens the door.
///
/// Unknown counts as inside. Evidence may be dated, late, twice or out of order: what is older than what made the
/// state so changes nothing, what is not fresh never arms and never opens, but a late arrival still disarms.
struct Homecoming: Hashable, Sendable {
  private(set) var isInside = true
  /// When that happened, or was last confirmed; nil when nothing is known.
  private(set) var since: Timestamp?

  enum Input: Hashable, Sendable {
    case enterBeacon, leaveBeacon, enterHome, leaveHome
    /// An accurate position outside the home's region.
    case seenOutside
    case simulateExit
  }

  enum Output: Hashable, Sendable {
    case nothing
    /// The door is to be opened; the state changes by ``cameIn(at:)``, when that was done.
    case open
    case armed
    /// An arrival that is too late to open the door.
    case disarmed
  }

  init() {}

  /// What was known before a restart.
  init(isInside: Bool, since: Timestamp?) {
    self.isInside = isInside
    self.since = since
  }

  /// A clock that was set back must not keep evidence out for ever.
  mutating func bound(at now: Timestamp) {
    if let since, since > now { self.since = now }
  }

  mutating func handle(_ input: Input, _ evidence: Evidence) -> Output {
    switch (isInside, input) {
    case (true, .enterBeacon), (true, .enterHome), (false, .leaveHome), (false, .seenOutside):
      since = max(since ?? evidence.time, evidence.time)
      return .nothing
    case (true, .leaveHome), (true, .seenOutside), (true, .simulateExit):
      guard evidence.isFresh, since.map({ evidence.isLater(than: $0) }) ?? true else { return .nothing }
      isInside = false
      since = max(since ?? evidence.time, evidence.time)
      return .armed
    case (false, .enterBeacon):
      guard evidence.isNow || since.map({ evidence.time >= $0 }) ?? true else { return .nothing }
      guard evidence.isFresh else {
        cameIn(at: evidence.time)
        return .disarmed
      }
      return .open
    case (_, .leaveBeacon), (false, .enterHome), (false, .simulateExit): return .nothing
    }
  }

  /// The person is in, by whatever door.
  mutating func cameIn(at time: Timestamp) {
    isInside = true
    since = max(since ?? time, time)
  }
}

/// When something happened, as far as it can be told.
struct Evidence: Hashable, Sendable {
  /// Not after the present.
  let time: Timestamp
  /// It carries no date of its own: it is told as it happens.
  let isNow: Bool
  let isFresh: Bool

  /// Of the same second is not: which of the two came first is not known.
  func isLater(than other: Timestamp) -> Bool { isNow || time > other }

  /// Older than this is stale.
  static let oldest = Duration.seconds(120)
  /// How far a phone's clock may be ahead of ours.
  static let tolerance = Duration.seconds(30)

  /// What is told without a date.
  init(now: Timestamp) {
    time = now
    isNow = true
    isFresh = true
  }

  /// Nil for what is dated in the future, beyond what two clocks may differ.
  init?(dated time: Timestamp, at now: Timestamp) {
    guard time <= now.advanced(by: Self.tolerance) else { return nil }
    self.time = min(time, now)
    isNow = false
    isFresh = now <= time.advanced(by: Self.oldest)
  }
}
