import EventLoop

/// Waits until the last words of devices have left for their boards, but not for long.
@Loop final class Farewell {
  private let devices: [DeviceRuntime]
  private let deadline: MonotonicTime
  private let whenSaid: @Loop () -> Void
  private var timer: LoopTimer?

  /// A board that takes longer than this gets no more.
  static let patience = Duration.seconds(2)
  private static let interval = Duration.milliseconds(5)

  /// Lets `devices` say their last words and calls `whenSaid` once: at once when nothing is on its way.
  init(of devices: [DeviceRuntime], whenSaid: @escaping @Loop () -> Void) {
    self.devices = devices
    self.whenSaid = whenSaid
    deadline = MonotonicTime.now.advanced(by: Self.patience)
    for device in devices { device.sayGoodbye() }
    check()
  }

  /// `whenSaid` is not called after this returns.
  func cancel() {
    timer?.cancel()
    timer = nil
  }

  private func check() {
    guard MonotonicTime.now < deadline, devices.contains(where: \.hasUnsent) else { return whenSaid() }
    timer = LoopTimer(after: Self.interval) { self.check() }
  }
}
