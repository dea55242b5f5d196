import Glibc
import TestSupport
import Testing

@testable import Links

struct SelfConnectionTests {
  @Test func `a socket that is connected to itself is told from one that is not`() throws {
    let address = try AddressLookUp.look(host: "127.0.0.1", port: FreePort.take(), flags: AI_NUMERICHOST)
      .get()[0]
    let own = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(own) }
    // What the system does when it happens to choose this port for the near end.
    try #require(address.withPointer { bind(own, $0, $1) } == 0)
    try #require(address.withPointer { connect(own, $0, $1) } == 0)
    #expect(SocketOptions.isConnectedToItself(own))

    let listener = try Peer.listener(host: "127.0.0.1", port: 0).get()
    defer { close(listener) }
    let other = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(other) }
    let there = try #require(SocketAddress(of: listener, far: false))
    try #require(there.withPointer { connect(other, $0, $1) } == 0)
    #expect(!SocketOptions.isConnectedToItself(other))
  }
}
