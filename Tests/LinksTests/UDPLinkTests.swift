import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(4)))
struct UDPLinkTests {
  init() { #expect(LoopThread.started) }

  @Loop private func link(_ port: UInt16, host: String = "127.0.0.1") -> (UDPLink, Recorder) {
    let recorder = Recorder()
    return (UDPLink(host: host, port: port, handler: recorder.handler), recorder)
  }

  @Loop @Test(arguments: [("127.0.0.1", 1472), ("::1", 1452)])
  func `a send is a datagram and a datagram is a chunk`(host: String, maximumPacket: Int) async throws {
    let peer = try UDPPeer(host: host)
    let (link, recorder) = link(peer.port, host: host)
    recorder.call { link.connect() }
    guard case .up(let maximum) = try await recorder.event("up") else { return }
    #expect(maximum == maximumPacket)
    let largest = [UInt8](repeating: 9, count: maximumPacket)
    recorder.call {
      link.send(Output.Send("one", number: 1))
      link.send(Output.Send([], number: 2))
      link.send(Output.Send(largest, number: 3))
    }
    #expect(try await peer.read() == Array("one".utf8))
    #expect(try await peer.read() == [])
    #expect(try await peer.read() == largest)
    let chunks: [[UInt8]] = [[1, 2], [], [UInt8](repeating: 3, count: 20_000), [4]]
    for chunk in chunks { peer.write(chunk) }
    try await recorder.received(bytes: 20_003)
    #expect(recorder.chunks == chunks)
    #expect(recorder.outcomes == [1: 1, 2: 1, 3: 1])
    link.disconnect()
  }

  @Loop @Test func `a host on which nothing listens ends the link as refused`() async throws {
    let (link, recorder) = link(FreePort.take())
    link.connect()
    try await recorder.event("up")
    recorder.call { link.send(Output.Send("x", number: 1)) }
    #expect(try await recorder.down() == .refused)
    #expect(recorder.outcomes == [1: 1])
  }

  @Loop @Test func `a board that went away and came back is reached again`() async throws {
    let peer = try UDPPeer()
    let (link, recorder) = link(peer.port)
    link.connect()
    try await recorder.event("up")
    link.send(Output.Send("x"))
    _ = try await peer.read()
    let port = peer.port
    peer.close()
    link.send(Output.Send("x"))
    #expect(try await recorder.down() == .refused)

    let back = try UDPPeer(port: port)
    let before = recorder.events.count
    link.connect()
    try await recorder.event("up", from: before)
    link.send(Output.Send("y"))
    #expect(try await back.read() == Array("y".utf8))
    link.disconnect()
  }

  @Loop @Test func `datagrams from elsewhere are not received`() async throws {
    let peer = try UDPPeer()
    let stranger = try UDPPeer()
    let (link, recorder) = link(peer.port)
    link.connect()
    try await recorder.event("up")
    link.send(Output.Send("x"))
    _ = try await peer.read()
    let own = try #require(sockets(connectedTo: peer.port, type: SOCK_DGRAM).first)
    stranger.write(Array("stranger".utf8), to: own)
    peer.write(Array("board".utf8))
    try await recorder.received("board")
    #expect(recorder.text == "board")
    link.disconnect()
  }

  @Loop @Test func `a datagram larger than any can be ends the link, and each number is told once`()
    async throws
  {
    let peer = try UDPPeer()
    let (link, recorder) = link(peer.port)
    link.connect()
    try await recorder.event("up")
    recorder.call {
      link.send(Output.Send([UInt8](repeating: 0, count: 65_510 - 40), number: 1))
      link.send(Output.Send([UInt8](repeating: 0, count: 65_600), number: 2))
      link.send(Output.Send("x", number: 3))
    }
    _ = try await recorder.down()
    #expect(recorder.outcomes == [1: 1, 2: 1, 3: 1])
  }

  @Loop @Test func `errors while the owner has no room wait as well`() async throws {
    let (link, recorder) = link(FreePort.take())
    link.connect()
    try await recorder.event("up")
    recorder.call {
      link.isReading = false
      link.send(Output.Send("x"))
    }
    await turns(20)
    #expect(recorder.words == ["up 1472"])
    recorder.call { link.isReading = true }
    #expect(try await recorder.down() == .refused)
  }

  @Loop @Test func `closing leaves no descriptor open`() async throws {
    let peer = try UDPPeer()
    let (link, recorder) = link(peer.port)
    for round in 0..<50 {
      let before = recorder.events.count
      link.connect()
      if round.isMultiple(of: 2) { try await recorder.event("up", from: before) }
      link.disconnect()
    }
    #expect(sockets(connectedTo: peer.port, type: SOCK_DGRAM).isEmpty)
  }
}
