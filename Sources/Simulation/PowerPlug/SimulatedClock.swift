public import EventLoop
import Glibc

/// The true time in a simulated world: runs from any start, at any speed, and can be moved.
public struct SimulatedClock: Sendable {
  private var anchor: MonotonicTime
  private var timeAtAnchor: Duration
  /// Simulated seconds in a real one; 0 = stands still, never negative.
  public private(set) var speed: Double

  /// Starts at `time` since 1970 UTC.
  public init(startingAt time: Duration, speed: Double = 1, at now: MonotonicTime = .now) {
    anchor = now
    timeAtAnchor = time
    self.speed = max(0, speed)
  }

  /// Starts at the machine's time.
  public static func startingNow(speed: Double = 1) -> SimulatedClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return SimulatedClock(startingAt: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec), speed: speed)
  }

  /// Since 1970 UTC.
  public func time(at now: MonotonicTime = .now) -> Duration {
    timeAtAnchor + anchor.duration(to: now) * speed
  }

  /// Moves the time by `duration`, which may be negative.
  public mutating func advance(by duration: Duration) { timeAtAnchor += duration }

  public mutating func setSpeed(_ speed: Double, at now: MonotonicTime = .now) {
    timeAtAnchor = time(at: now)
    anchor = now
    self.speed = max(0, speed)
  }

  /// How long it really takes until `time`; zero when that is past, nil while the clock stands still. At most
  /// a day: whoever waits looks again.
  public func realDelay(until time: Duration, at now: MonotonicTime = .now) -> Duration? {
    let remaining = time - self.time(at: now)
    if remaining <= .zero { return .zero }
    guard speed > 0 else { return nil }
    let day = Duration.seconds(86_400)
    return remaining / day / speed > 1 ? day : remaining / speed
  }
}
