import CLinux
import EventLoop
import Glibc

/// A call of the socket interface that failed.
public struct SocketFailure: Error, Equatable, CustomStringConvertible {
  public let call: String
  /// `errno` after it.
  public let code: Int32

  init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A TCP port of 127.0.0.1 that stays ours while it opens and closes: a bound socket that never listens
/// reserves it.
@Loop final class LoopbackListener {
  /// How the port meets a client.
  enum State {
    /// RST to every connect, also to those that wait in the backlog.
    case closed
    /// The kernel takes connections, nobody accepts them.
    case paused
    case accepting
    /// The backlog is full, so that the kernel drops every SYN.
    case unanswering
  }

  let port: UInt16
  private(set) var state = State.closed
  private let reservation: Int32
  private var listening: Int32 = -1
  private var filler: Int32 = -1
  private var watch: DescriptorWatch?
  private let accepted: @Loop (Int32) -> Void

  /// Reserves `port`, or a free one for 0. `accepted` gets each client's nonblocking descriptor and owns it.
  init(port: UInt16, accepted: @escaping @Loop (Int32) -> Void) throws(SocketFailure) {
    self.accepted = accepted
    reservation = try Self.socket()
    do throws(SocketFailure) {
      try Self.bind(reservation, to: port)
      self.port = try Self.port(of: reservation)
    } catch {
      Glibc.close(reservation)
      throw error
    }
  }

  func enter(_ next: State) throws(SocketFailure) {
    guard next != state else { return }
    if next == .closed || next == .unanswering || state == .unanswering { close() }
    if next == .closed { return }
    if listening < 0 { try open(backlog: next == .unanswering ? 0 : 16) }
    if next == .unanswering { try fillBacklog() }
    watch?.interest = next == .accepting ? .readable : []
    state = next
  }

  /// Gives the port back; the listener must not be used again.
  func stop() {
    close()
    Glibc.close(reservation)
  }

  private func close() {
    watch?.cancel()
    watch = nil
    for descriptor in [listening, filler] where descriptor >= 0 { Glibc.close(descriptor) }
    (listening, filler) = (-1, -1)
    state = .closed
  }

  private func open(backlog: Int32) throws(SocketFailure) {
    let descriptor = try Self.socket()
    do throws(SocketFailure) {
      try Self.bind(descriptor, to: port)
      guard listen(descriptor, backlog) == 0 else { throw SocketFailure("listen") }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    listening = descriptor
    watch = DescriptorWatch(descriptor, for: []) { [weak self] _ in self?.acceptOne() }
  }

  /// One connection of our own takes the only place of a backlog of 0.
  private func fillBacklog() throws(SocketFailure) {
    filler = try Self.socket()
    let result = Self.withAddress(port) { connect(filler, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else { throw SocketFailure("connect") }
  }

  private func acceptOne() {
    let descriptor = accept4(listening, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    // The client may have gone again, or descriptors may be short: the loop calls once more while one waits.
    guard descriptor >= 0 else { return }
    accepted(descriptor)
  }

  private nonisolated static func socket() throws(SocketFailure) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = Glibc.socket(AF_INET, Int32(type), 0)
    guard descriptor >= 0 else { throw SocketFailure("socket") }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  nonisolated static func bind(_ descriptor: Int32, to port: UInt16) throws(SocketFailure) {
    guard withAddress(port, { Glibc.bind(descriptor, $0, $1) }) == 0 else { throw SocketFailure("bind") }
  }

  nonisolated static func port(of descriptor: Int32) throws(SocketFailure) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0 else { throw SocketFailure("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }

  private nonisolated static func withAddress<T>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
  ) -> T {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
