import EventLoop
import Glibc

/// systemd, told how the service stands (`sd_notify(3)`), and fed as its watchdog.
///
/// Silent where nothing listens: without `NOTIFY_SOCKET` every call does nothing.
@Loop final class ServiceManager {
  private let descriptor: Int32
  private let address: sockaddr_un
  private let addressLength: socklen_t
  private var watchdog: LoopTimer?

  /// - Parameter environment: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` with `WATCHDOG_PID` for the watchdog.
  init(environment: (String) -> String?) {
    let socketPath = environment("NOTIFY_SOCKET") ?? ""
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(socketPath.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    if bytes.isEmpty || bytes.count >= capacity || !["/", "@"].contains(socketPath.prefix(1)) {
      descriptor = -1
    } else {
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      // An abstract socket is written with @ and begins with a zero.
      if bytes[0] == UInt8(ascii: "@") { address.sun_path.0 = 0 }
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    self.address = address
    addressLength = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    if let interval = Self.watchdogInterval(environment) { feedWatchdog(every: interval / 2) }
  }

  isolated deinit {
    watchdog?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  func ready() { tell("READY=1\nSTATUS=running") }

  /// `systemctl reload` waits for the next ``ready()``.
  func reloading() { tell("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)") }

  func stopping() { tell("STOPPING=1\nSTATUS=stopping") }

  private func feedWatchdog(every interval: Duration) {
    tell("WATCHDOG=1")
    watchdog = LoopTimer(after: interval) { [weak self] in self?.feedWatchdog(every: interval) }
  }

  /// Nil when there is no watchdog, or it watches another process.
  private static func watchdogInterval(_ environment: (String) -> String?) -> Duration? {
    guard let microseconds = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), microseconds > 0 else {
      return nil
    }
    if let process = environment("WATCHDOG_PID"), process != String(getpid()) { return nil }
    return .microseconds(microseconds)
  }

  private func tell(_ text: String) {
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), address,
          addressLength)
      }
    }
  }
}
