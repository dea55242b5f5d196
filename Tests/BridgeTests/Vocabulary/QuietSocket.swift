import CLinux
import Glibc
import TestSupport

/// A bound socket of 127.0.0.1 whose owner reads when the test says so, or never.
final class QuietSocket: Sendable {
  let port: UInt16
  private let descriptor: Int32

  enum Kind { case listener, datagrams }

  /// A listener never accepts: the kernel does, and takes as much as its buffers hold.
  init(_ kind: Kind) throws {
    let type = kind == .listener ? SOCK_STREAM : SOCK_DGRAM
    descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard result == 0, kind == .datagrams || listen(descriptor, 8) == 0 else { throw SystemFailure("bind") }
  }

  deinit { close(descriptor) }

  /// A datagram that has come already.
  func datagram() -> String? {
    var buffer = [UInt8](repeating: 0, count: 2000)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
