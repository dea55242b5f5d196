import DeviceModel

/// Where a door must be that opens by a pulse and closes by itself, told by the time of the pulse alone.
///
/// Until its own closing is over another pulse would turn it around, and leave it open in the end.
struct DoorCycle: Hashable, Sendable {
  /// From the pulse that opens to the board's own pulse that closes.
  var closingInterval: Duration
  let travelTime: Duration
  /// Of the last pulse; before the start for one that is known from an earlier life. Nil when none is known.
  private var pulsedAt: Duration?
  /// The same in civil time, for after a restart.
  private(set) var pulsedWhen: Timestamp?
  /// It is not certain that the board got the last pulse.
  private(set) var isDoubtful = false
  /// Since when the door has been watched without any pulse.
  private var watchedSince: Duration?

  /// A pulse may reach the board that much later than it is counted here.
  static let slack = Duration.seconds(2)

  enum Position: String, Hashable, Sendable {
    case opening, open, closing, closed
  }

  init(closingInterval: Duration, travelTime: Duration) {
    self.closingInterval = closingInterval
    self.travelTime = travelTime
  }

  /// A pulse has left for the board, or one may have: `isDoubtful`.
  mutating func pulsed(at now: Moment, isDoubtful: Bool = false) {
    pulsedAt = now.uptime
    pulsedWhen = now.wall
    self.isDoubtful = isDoubtful
  }

  /// The board has got the last pulse for sure.
  mutating func confirm() { isDoubtful = false }

  /// Takes over what was known before a restart. A clock that was set back meanwhile does not tell how long ago it was:
  /// the whole time counts then.
  mutating func recall(pulsedWhen then: Timestamp, isDoubtful: Bool, at now: Moment) {
    let age = max(0, now.wall.milliseconds - then.milliseconds)
    pulsed(
      at: Moment(uptime: now.uptime - .milliseconds(age), wall: min(then, now.wall)), isDoubtful: isDoubtful)
  }

  /// Nothing is known of the door: it may have been opened by another hand the moment before, and then closes in its
  /// time.
  mutating func watch(at now: Duration) {
    if watchedSince == nil { watchedSince = now }
  }

  /// Nil while it is not known.
  func position(at now: Duration) -> Position? {
    guard let pulsedAt else {
      guard let watchedSince, now - watchedSince >= whole else { return nil }
      return .closed
    }
    let age = now - pulsedAt
    if age >= whole { return .closed }
    if isDoubtful { return nil }
    if age < min(travelTime, closingInterval) { return .opening }
    return age < closingInterval ? .open : .closing
  }

  /// How long the door still counts as open; zero when it is presumed closed.
  func presumedOpen(at now: Duration) -> Duration {
    guard let pulsedAt else { return .zero }
    return max(.zero, pulsedAt + whole - now)
  }

  /// When ``position(at:)`` changes next; nil when it will not by itself.
  func nextChange(after now: Duration) -> Duration? {
    guard let pulsedAt else {
      return watchedSince.map { $0 + whole }.flatMap { $0 > now ? $0 : nil }
    }
    return [min(travelTime, closingInterval), closingInterval, whole].map { pulsedAt + $0 }.first { $0 > now }
  }

  private var whole: Duration { closingInterval + travelTime + Self.slack }
}
