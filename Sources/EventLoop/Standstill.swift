/// Tells a wait that took its time from one during which the process stood still: it was stopped or frozen, or the
/// machine slept.
struct Standstill {
  /// Less than this a busy machine may keep anybody waiting.
  static let least = Duration.seconds(10)

  private var lastAwake: MonotonicTime?

  /// - Parameters:
  ///   - now: By the clock that goes on while the machine sleeps.
  ///   - planned: The longest that the loop wanted to wait; nil for as long as it takes, of which nothing can be told.
  /// - Returns: How much longer it was since the last call, if that is a standstill.
  mutating func awoke(at now: MonotonicTime, after planned: Duration?) -> Duration? {
    defer { lastAwake = now }
    guard let lastAwake, let planned else { return nil }
    let lost = lastAwake.duration(to: now) - planned
    return lost >= Self.least ? lost : nil
  }
}
