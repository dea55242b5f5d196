import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Links

/// The far end of a UDP link.
@Loop final class UDPPeer {
  let port: UInt16
  private let descriptor: Int32
  private var isOpen = true
  private var client = sockaddr_storage()
  private var clientLength = socklen_t(MemoryLayout<sockaddr_storage>.size)

  init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
    let address = try AddressLookUp.look(host: host, port: port, flags: AI_NUMERICHOST).get()[0]
    let descriptor = SocketOptions.open(address.family, SOCK_DGRAM)
    guard descriptor >= 0, address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      throw SystemFailure("bind to \(host)")
    }
    self.descriptor = descriptor
    self.port = SocketAddress(of: descriptor, far: false)?.port ?? 0
  }

  isolated deinit { close() }

  func close() {
    if isOpen { Glibc.close(descriptor) }
    isOpen = false
  }

  /// The next datagram; whoever sent it is answered from then on.
  func read() async throws -> [UInt8] {
    try await ready(descriptor, .readable)
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = withUnsafeMutablePointer(to: &client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &buffer, buffer.count, 0, $0, &clientLength)
      }
    }
    return Array(buffer[..<max(0, count)])
  }

  func write(_ bytes: [UInt8]) {
    let count = withUnsafePointer(to: client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, clientLength)
      }
    }
    #expect(count == bytes.count)
  }
}

extension UDPPeer {
  /// Sends a datagram to the address that the socket `receiver` is bound to.
  func write(_ bytes: [UInt8], to receiver: Int32) {
    let address = SocketAddress(of: receiver, far: false)
    let count = address?.withPointer { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    #expect(count == bytes.count)
  }
}
