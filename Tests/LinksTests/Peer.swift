import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Links

/// The far end of a TCP link: a listening socket that accepts when the test says so.
@Loop final class Peer {
  let port: UInt16
  private let listener: Int32

  /// - Parameter backlog: 0 and connections that are not accepted fill it: further ones get no answer.
  convenience init(host: String = "127.0.0.1", port: UInt16 = 0, backlog: Int32 = 16) throws {
    self.init(listener: try Self.listener(host: host, port: port, backlog: backlog).get())
  }

  init(listener: Int32) {
    self.listener = listener
    port = SocketAddress(of: listener, far: false)?.port ?? 0
  }

  nonisolated static func listener(
    host: String, port: UInt16, backlog: Int32 = 16
  ) -> Result<Int32, SystemFailure> {
    guard case .success(let addresses) = AddressLookUp.look(host: host, port: port, flags: AI_NUMERICHOST)
    else {
      return .failure(SystemFailure("\(host) is no address"))
    }
    let listener = SocketOptions.open(addresses[0].family, SOCK_STREAM)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard addresses[0].withPointer({ bind(listener, $0, $1) }) == 0, listen(listener, backlog) == 0 else {
      return .failure(SystemFailure("listen on \(host)"))
    }
    return .success(listener)
  }

  isolated deinit { close(listener) }

  /// Waits for a client and takes it.
  func accept() async throws -> PeerConnection {
    try await ready(listener, .readable)
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemFailure("accept") }
    return PeerConnection(descriptor)
  }
}

/// One connection as the board has it.
@Loop final class PeerConnection {
  private let descriptor: Int32
  private var isOpen = true

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  isolated deinit { close() }

  func close() {
    if isOpen { Glibc.close(descriptor) }
    isOpen = false
  }

  /// Ends the connection with RST.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func write(_ bytes: [UInt8]) {
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #expect(count == bytes.count)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// The next `count` bytes; fewer when the far end closes before.
  func read(_ count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      try await ready(descriptor, .readable)
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      if got <= 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  func text(_ count: Int) async throws -> String { String(decoding: try await read(count), as: UTF8.self) }
}

extension SocketAddress {
  var port: UInt16 {
    withPointer { pointer, _ in
      // In both families the port follows the family.
      UInt16(bigEndian: UnsafeRawPointer(pointer).load(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
