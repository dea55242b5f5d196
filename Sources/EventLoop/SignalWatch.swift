import CLinux
import Glibc

/// Signals as events of the loop.
///
/// ``block(_:)`` must run before the first thread is started, so that no thread takes the signals the usual way.
/// A child process inherits the blocked mask: whoever starts one clears it there.
@Loop public final class SignalWatch {
  private let descriptor: Int32
  private var watch: DescriptorWatch?

  /// Blocks `signals` in the calling thread and in all it starts later.
  public nonisolated static func block(_ signals: [Int32]) {
    var set = Self.set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Calls `handler` with the number of each of `signals` that arrives.
  public init(_ signals: [Int32], handler: @escaping @Loop (Int32) -> Void) {
    var set = Self.set(of: signals)
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    watch = DescriptorWatch(descriptor, for: .readable) { [descriptor] _ in
      var information = signalfd_siginfo()
      while read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
        handler(Int32(information.ssi_signo))
      }
    }
  }

  public func cancel() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    close(descriptor)
  }

  private nonisolated static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
