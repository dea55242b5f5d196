import Glibc
import Synchronization

/// Ports of 127.0.0.1 on which nobody listens, each handed out once.
///
/// None is among those from which the system takes the near ends of connections: one that is free when it is handed
/// out would not always be free when it is used.
public enum FreePort {
  private static let taken = Mutex<Set<UInt16>>([])
  /// Linux' own begin at 32768.
  private static let range: ClosedRange<UInt16> = 10_000...32_000

  public static func take() -> UInt16 {
    while true {
      let port = UInt16.random(in: range)
      if isFree(port), taken.withLock({ $0.insert(port).inserted }) { return port }
    }
  }

  private static func isFree(_ port: UInt16) -> Bool {
    guard let descriptor = Loopback.bound(to: port) else { return false }
    close(descriptor)
    return true
  }
}
