/// The time at which an adapter is given an input. Adapters keep no clock of their own.
public struct Moment: Hashable, Sendable {
  /// Time on a clock that never jumps, since an arbitrary start; for intervals and time-outs.
  public var uptime: Duration
  /// Civil time; may jump when the machine's clock is set.
  public var wall: Timestamp

  public init(uptime: Duration, wall: Timestamp) {
    self.uptime = uptime
    self.wall = wall
  }

  /// The same time, later, on both clocks.
  public func advanced(by duration: Duration) -> Moment {
    Moment(uptime: uptime + duration, wall: wall.advanced(by: duration))
  }
}
