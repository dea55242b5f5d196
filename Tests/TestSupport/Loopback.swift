import CLinux
import Glibc

/// Sockets at 127.0.0.1.
enum Loopback {
  /// `bind` or `connect`, to a port there.
  static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ port: UInt16
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// A socket that no child inherits, bound to this port; nil when that cannot be had.
  ///
  /// One that nobody listens on, such as a child may hold for a moment while it is being started, is in nobody's way.
  static func bound(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard call(bind, descriptor, port) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
