import CLinux
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
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    // A child that is being started may hold it for a moment longer: without this nobody could take the port then.
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
