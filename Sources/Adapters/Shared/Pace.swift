/// At most once in an interval.
struct Pace: Hashable, Sendable {
  let interval: Duration
  private var last: Duration?

  init(_ interval: Duration) { self.interval = interval }

  /// True is a permit, and begins the interval.
  ///
  /// - Parameter isUrgent: It is permitted in any case.
  mutating func permits(at now: Duration, despite isUrgent: Bool = false) -> Bool {
    if let last, now - last < interval, !isUrgent { return false }
    last = now
    return true
  }

  /// What was permitted takes up this much more.
  mutating func extend(by time: Duration) { last = last.map { $0 + time } }

  /// Until the next permit.
  func rest(at now: Duration) -> Duration {
    guard let last else { return .zero }
    return max(.zero, last + interval - now)
  }
}
