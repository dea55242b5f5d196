import DeviceModel
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Links

/// A TCP link whose name has these addresses.
@Loop final class TestLink {
  let recorder = Recorder()
  private let link: TCPLink

  init(_ addresses: [String], port: UInt16, timeout: Duration) {
    let lookUp = AddressLookUp(host: "board.lan", port: port) { _, port in
      .success(
        addresses.flatMap {
          (try? AddressLookUp.look(host: $0, port: port, flags: AI_NUMERICHOST).get()) ?? []
        })
    }
    link = TCPLink(lookUp, timeout: timeout, handler: recorder.handler)
  }

  init(timeout: Duration, lookUp: @escaping AddressLookUp.LookUp) {
    link = TCPLink(
      AddressLookUp(host: "board.lan", port: 1, lookUp: lookUp), timeout: timeout, handler: recorder.handler)
  }

  func connect() { recorder.call { link.connect() } }
  func disconnect() { recorder.call { link.disconnect() } }
}

/// A port of 127.0.0.1 whose backlog is full: who connects gets no answer.
@Loop final class FullPort {
  private let peer: Peer
  private var fillers: [Int32] = []
  var port: UInt16 { peer.port }

  init() throws {
    peer = try Peer(backlog: 0)
    let address = try AddressLookUp.look(host: "127.0.0.1", port: peer.port, flags: AI_NUMERICHOST).get()[0]
    for _ in 0..<3 {
      let descriptor = SocketOptions.open(address.family, SOCK_STREAM)
      _ = address.withPointer { Glibc.connect(descriptor, $0, $1) }
      fillers.append(descriptor)
    }
  }

  isolated deinit {
    for descriptor in fillers { close(descriptor) }
  }
}
