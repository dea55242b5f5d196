import CLinux
import Glibc
import Synchronization

/// Ports of 127.0.0.1 on which nobody listens, each handed out once.
public enum FreePort {
  private static let taken = Mutex<Set<UInt16>>([])

  public static func take() -> UInt16 {
    while true {
      let port = unused()
      if taken.withLock({ $0.insert(port).inserted }) { return port }
    }
  }

  private static func unused() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = bind(descriptor, generic, length)
        _ = getsockname(descriptor, generic, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
  }
}
