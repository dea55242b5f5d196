import CLinux
import Glibc

/// Two connected sockets that do not block, closed with the last reference.
final class SocketPair: Sendable {
  let near: Int32
  let far: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, type, 0, &ends) == 0, "no sockets left")
    (near, far) = (ends[0], ends[1])
  }

  deinit {
    close(near)
    close(far)
  }

  /// Makes ``near`` readable.
  func poke() { _ = write(far, "x", 1) }

  /// - Returns: how many bytes there were to read at ``near``.
  @discardableResult
  func drain() -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    return max(0, read(near, &buffer, buffer.count))
  }

  /// Fills what ``near`` can send until it would block.
  func fill() {
    let chunk = [UInt8](repeating: 0, count: 65_536)
    while write(near, chunk, chunk.count) > 0 {}
  }

  func drainFar() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(far, &buffer, buffer.count) > 0 {}
  }

  func hangUp() { shutdown(far, Int32(SHUT_RDWR)) }
}
