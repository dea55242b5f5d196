import CLinux
import Glibc

/// A port of 127.0.0.1 on which somebody listens and nobody accepts: connecting to it blocks, as to a host whose
/// packets vanish.
public final class DeafServer: Sendable {
  public let port: UInt16
  private let listener: Int32
  private let fillers: [Int32]

  public init() throws {
    port = FreePort.take()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard Self.call(bind, listener, port) == 0, listen(listener, 0) == 0 else {
      throw SystemFailure("listen on port \(port)")
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    fillers = (0..<4).map { _ in socket(AF_INET, type, 0) }
    for filler in fillers { _ = Self.call(connect, filler, port) }
  }

  /// Accepts one connection after the other from now on and hangs up on each.
  public func wakeUp() {
    let listener = dup(listener)
    Thread.run {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        close(connection)
      }
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in fillers + [listener] { close(descriptor) }
  }

  private static func call(
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
}
