import DeviceModel
import EventLoop
import Glibc

extension Timestamp {
  /// The machine's civil time.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension Moment {
  static var now: Moment { Moment(uptime: .nanoseconds(MonotonicTime.now.nanoseconds), wall: .now) }
}
