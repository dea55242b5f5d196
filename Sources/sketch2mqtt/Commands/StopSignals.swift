import EventLoop
import Glibc

/// The signals by which a person or systemd ends the program: the first asks, a second one insists.
@Loop final class StopSignals {
  private var watch: SignalWatch?
  private var waiter: CheckedContinuation<Void, Never>?
  private var hasArrived = false

  /// Must run before any thread is started.
  nonisolated static func block() { SignalWatch.block([SIGINT, SIGTERM, SIGHUP]) }

  /// - Parameters:
  ///   - onHangUp: What SIGHUP does; nil when it ends the program like the others.
  ///   - onInsisting: Called at the second signal; must not return into ordinary work.
  init(onHangUp: (@Loop () -> Void)? = nil, onInsisting: @escaping @Loop () -> Void) {
    watch = SignalWatch([SIGINT, SIGTERM, SIGHUP]) { [weak self] signal in
      guard let self else { return }
      if signal == SIGHUP, let onHangUp { return onHangUp() }
      if hasArrived { return onInsisting() }
      arrive()
    }
  }

  /// Returns at the first signal, or at ``arrive()``.
  func wait() async {
    await Loop.suspend { if hasArrived { $0.resume() } else { waiter = $0 } }
  }

  /// As if the first signal had come.
  func arrive() {
    hasArrived = true
    waiter?.resume()
    waiter = nil
  }
}
