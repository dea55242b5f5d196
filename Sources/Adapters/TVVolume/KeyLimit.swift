/// Keys in moderation: no more often than a TV can follow, and only so many of one kind in a row.
struct KeyLimit: Hashable, Sendable {
  let most: Int
  private var pace: Pace
  private var key: VolumeControl.Key?
  private var count = 0

  enum Verdict: Hashable, Sendable {
    case press
    /// Too soon after the last one.
    case wait
    /// So many were pressed that the TV is at its limit, or does not hear. Told once.
    case atLimit
    case ignore
  }

  init(most: Int, interval: Duration) {
    self.most = most
    pace = Pace(interval)
  }

  mutating func ask(_ key: VolumeControl.Key, at now: Duration) -> Verdict {
    if key != self.key {
      self.key = key
      count = 0
    }
    guard count < most else {
      defer { count = most + 1 }
      return count == most ? .atLimit : .ignore
    }
    guard pace.permits(at: now) else { return .wait }
    count += 1
    return .press
  }

  /// A key that was permitted was not played.
  mutating func takeBack(_ key: VolumeControl.Key) {
    if key == self.key, (1...most).contains(count) { count -= 1 }
  }

  /// It worked: the level is as it was wanted, or somebody else has seen to it.
  mutating func reset() {
    key = nil
    count = 0
  }
}
