import DeviceModel

/// Which readings of a noisy thermometer are worth a report.
///
/// A 9-bit sensor moves in steps of 0.5 °C and hunts between two of them ten times a second. At most one report a
/// second is made. A step back, of no more than 0.5 °C against the direction of the last one, has to last for ten
/// seconds: so hunting between two steps is reported once, and every lasting change after ten seconds at most.
struct SteadyTemperature: Sendable {
  private(set) var reported: PetDoorTemperature?
  private var reportedAt = Duration.zero
  /// Of the last change: 1 warmer, −1 colder, 0 unknown.
  private var direction = 0
  private var candidate: PetDoorTemperature?

  static let interval = Duration.seconds(1)
  static let stepBackLasts = Duration.seconds(10)
  /// In hundredths of a degree.
  static let step = 50

  enum Decision: Hashable, Sendable {
    case report
    /// Ask ``take(at:)`` after this time, unless another decision comes before.
    case wait(Duration)
    /// As before.
    case nothing
    /// No waiting any more: it is what was reported.
    case calm
  }

  mutating func read(_ reading: PetDoorTemperature, at now: Duration) -> Decision {
    if reading == reported {
      defer { candidate = nil }
      return candidate == nil ? .nothing : .calm
    }
    guard reading != candidate else { return .nothing }
    candidate = reading
    let wait = wait(for: reading, at: now)
    guard wait <= .zero else { return .wait(wait) }
    take(at: now)
    return .report
  }

  /// What was waited for holds.
  mutating func take(at now: Duration) {
    guard let reading = candidate else { return }
    candidate = nil
    if case .known(let new) = reading, case .known(let old)? = reported {
      direction = new > old ? 1 : -1
    } else {
      direction = 0
    }
    reported = reading
    reportedAt = now
  }

  /// The link is gone: what has not lasted yet will not be known to.
  mutating func forgetCandidate() { candidate = nil }

  private func wait(for reading: PetDoorTemperature, at now: Duration) -> Duration {
    guard let reported else { return .zero }
    if case .known(let new) = reading, case .known(let old) = reported, abs(new - old) <= Self.step,
      direction != 0, (new > old) != (direction > 0)
    {
      return Self.stepBackLasts
    }
    return reportedAt + Self.interval - now
  }
}
