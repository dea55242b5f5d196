/// Growing pauses between attempts, with jitter so that many clients do not come back in one instant.
///
/// Pauses double from `first` to `longest`; each is shortened by a random share of up to half. A connection that
/// held for `healthyAfter` starts the count anew.
public struct BackOff: Hashable, Sendable {
  public var first: Duration
  public var longest: Duration
  public var healthyAfter: Duration
  /// Attempts failed since the last healthy connection.
  public private(set) var failures = 0

  public init(
    first: Duration = .seconds(1), longest: Duration = .seconds(60), healthyAfter: Duration = .seconds(60)
  ) {
    self.first = first
    self.longest = longest
    self.healthyAfter = healthyAfter
  }

  /// Counts a failure and gives the pause before the next attempt.
  ///
  /// - Parameter random: 0 up to 1, from the caller's source.
  public mutating func pauseAfterFailure(random: Double) -> Duration {
    let doublings = min(failures, 20)
    failures += 1
    let pause = min(first * (1 << doublings), longest)
    return pause * (1 - min(max(random, 0), 1) / 2)
  }

  /// Call when a connection ends after it held for `duration`.
  public mutating func connectionHeld(for duration: Duration) {
    if duration >= healthyAfter { failures = 0 }
  }

  /// Call when what was waited for came, whatever went before.
  public mutating func reset() { failures = 0 }
}
