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
    guard let listener = Loopback.bound(to: port), listen(listener, 0) == 0 else {
      throw SystemFailure("listen on port \(port)")
    }
    self.listener = listener
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    fillers = (0..<4).map { _ in socket(AF_INET, type, 0) }
    for filler in fillers { _ = Loopback.call(connect, filler, port) }
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
}
