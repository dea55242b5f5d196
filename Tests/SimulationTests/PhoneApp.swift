import Foundation
import Glibc

/// The owner's phone: a plain client socket. Each call that waits blocks a thread of its own.
final class PhoneApp: Sendable {
  enum End: Error, Equatable { case closed, reset, nothing, failed(Int32) }

  private let descriptor: Int32

  /// Connects, or throws what the connect came to; `nothing` after 300 ms without an answer.
  static func connect(to port: UInt16) async throws(End) -> PhoneApp {
    let result = await onThread { () -> Result<PhoneApp, End> in
      let phone = PhoneApp(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
      phone.limit(SO_SNDTIMEO, milliseconds: 300)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(phone.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return .success(phone) }
      return .failure(errno == EINPROGRESS ? .nothing : errno == ECONNREFUSED ? .reset : .failed(errno))
    }
    return try result.get()
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { Glibc.close(descriptor) }

  func send(_ bytes: [UInt8]) throws(End) {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count != bytes.count { throw .failed(errno) }
  }

  /// What the next read brings, or how the wait for it ended; `nothing` after `limit` milliseconds.
  func segment(within limit: Int = 60_000) async throws(End) -> [UInt8] {
    try await receive(atMost: 4096, flags: 0, within: limit)
  }

  /// Exactly `count` bytes.
  func bytes(_ count: Int) async throws(End) -> [UInt8] {
    let bytes = try await receive(atMost: count, flags: Int32(MSG_WAITALL), within: 60_000)
    if bytes.count < count { throw .nothing }
    return bytes
  }

  /// How the connection ends, without a byte before.
  func end(within limit: Int = 60_000) async -> End {
    do throws(End) { _ = try await segment(within: limit) } catch { return error }
    return .failed(0)
  }

  /// Sends FIN; can still receive.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  private func receive(atMost size: Int, flags: Int32, within limit: Int) async throws(End) -> [UInt8] {
    let result = await Self.onThread { () -> Result<[UInt8], End> in
      self.limit(SO_RCVTIMEO, milliseconds: limit)
      var buffer = [UInt8](repeating: 0, count: size)
      let count = recv(self.descriptor, &buffer, size, flags)
      if count > 0 { return .success(Array(buffer.prefix(count))) }
      if count == 0 { return .failure(.closed) }
      return .failure(errno == EAGAIN ? .nothing : errno == ECONNRESET ? .reset : .failed(errno))
    }
    return try result.get()
  }

  private func limit(_ option: Int32, milliseconds: Int) {
    var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}
