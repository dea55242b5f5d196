import CMosquitto
import EventLoop
import Glibc

/// One call of `mosquitto_connect`, made on a thread of its own: it blocks in name look-up and TCP connect for
/// up to two minutes. The TLS and MQTT handshakes come later, in the loop.
final class ConnectOrder: Sendable {
  private let handle: MosquittoHandle
  private let address: UInt
  private let server: ServerAddress
  private let keepAlive: Int32
  private let largestPacket: UInt32?

  init(
    handle: MosquittoHandle, address: UInt, server: ServerAddress, keepAlive: Int32, largestPacket: UInt32?
  ) {
    self.handle = handle
    self.address = address
    self.server = server
    self.keepAlive = keepAlive
    self.largestPacket = largestPacket
  }

  /// - Returns: whether there was a thread to be had.
  func start() -> Bool {
    (try? DetachedThread.start { self.run() }) != nil
  }

  private func run() {
    guard let pointer = OpaquePointer(bitPattern: address) else { return }
    var properties = PropertyList()
    if let largestPacket { properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, largestPacket) }
    let code = mosquitto_connect_bind_v5(
      pointer, server.host, Int32(server.port), keepAlive, nil, properties.head)
    let systemCode = errno
    properties.free()
    Loop.enqueue { [handle] in handle.connectReturned(code: code, systemCode: systemCode) }
  }
}
