/// Which readings of sensors that belong together are worth a report: those that moved by a least change, at a pace.
struct PacedReadings: Hashable, Sendable {
  private let change: Double
  private var pace: Pace
  /// The newest.
  private(set) var values: [Double]?
  private var reported: [Double]?

  enum Decision: Hashable, Sendable {
    case report
    /// Ask ``due(at:)`` after this time.
    case wait(Duration)
    /// As before, or waited for already.
    case nothing
  }

  private var isWaiting = false

  init(change: Double, interval: Duration) {
    self.change = change
    pace = Pace(interval)
  }

  mutating func take(_ new: [Double], at now: Duration) -> Decision {
    values = new
    guard !isWaiting, hasMoved else { return .nothing }
    guard pace.permits(at: now) else {
      isWaiting = true
      return .wait(pace.rest(at: now))
    }
    reported = values
    return .report
  }

  /// The wait is over. Returns whether there is something to report.
  mutating func due(at now: Duration) -> Bool {
    isWaiting = false
    guard hasMoved, pace.permits(at: now) else { return false }
    reported = values
    return true
  }

  mutating func reset() {
    values = nil
    reported = nil
    isWaiting = false
    pace = Pace(pace.interval)
  }

  private var hasMoved: Bool {
    guard let values else { return false }
    guard let reported, reported.count == values.count else { return true }
    return zip(values, reported).contains { abs($0 - $1) >= change }
  }
}
