import Glibc

/// An instant of the clock that never jumps (`CLOCK_MONOTONIC`): it stands still while the machine sleeps.
public struct MonotonicTime: Comparable, Hashable, Sendable {
  /// Nanoseconds since an arbitrary start, usually the boot.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: MonotonicTime { MonotonicTime(CLOCK_MONOTONIC) }

  /// The clock that also counts the time in which the machine sleeps; not to be compared with ``now``.
  static var nowWithSleep: MonotonicTime { MonotonicTime(CLOCK_BOOTTIME) }

  private init(_ clock: clockid_t) {
    var time = timespec()
    clock_gettime(clock, &time)
    nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  public func advanced(by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds &+ duration.nanoseconds)
  }

  public func duration(to other: MonotonicTime) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Duration {
  /// The whole duration in nanoseconds; ±292 years at most, beyond which it stays at the limit.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min / 2 : .max / 2 }
    return product + attoseconds / 1_000_000_000
  }
}
