import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

/// What comes while the owner has no room.
@Suite(.timeLimit(.minutes(4)))
struct ReadingTests {
  init() { #expect(LoopThread.started) }

  @Loop @Test func `what comes while the owner has no room waits with the system`() async throws {
    let (link, recorder, connection) = try await connected()
    recorder.call { link.isReading = false }
    connection.write("one ")
    await turns()
    #expect(recorder.text == "")
    // Sending goes on meanwhile.
    recorder.call { link.send(Output.Send("x")) }
    #expect(try await connection.text(1) == "x")
    recorder.call { link.isReading = true }
    try await recorder.received("one ")
    connection.write("two")
    try await recorder.received("one two")
    link.disconnect()
  }

  @Loop @Test(arguments: [false, true])
  func `an end while the owner has no room comes after all bytes`(byReset: Bool) async throws {
    let (link, recorder, connection) = try await connected()
    recorder.call { link.isReading = false }
    let bytes = [UInt8](repeating: 0x61, count: 50_000)
    connection.write(bytes)
    if byReset { connection.reset() } else { connection.close() }
    await turns(50)
    #expect(recorder.words == ["up"])
    var chunks = 0
    recorder.onEvent = { event in
      // Room for one chunk at a time.
      guard event.word == "received" else { return }
      chunks += 1
      link.isReading = false
      Loop.atTurnEnd { link.isReading = true }
    }
    recorder.call { link.isReading = true }
    _ = try await recorder.down()
    #expect(recorder.bytesReceived == bytes.count)
    #expect(chunks > 1)
  }

  @Loop @Test func `a reset while the owner has no room does not wake the loop again and again`() async throws
  {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    recorder.call { link.connect() }
    let connection = try await peer.accept()
    try await recorder.event("up")
    recorder.call { link.isReading = false }
    let socket = try #require(sockets(connectedTo: peer.port).first)
    #expect(isInEpoll(socket))
    connection.reset()
    // Descriptors are watched level by level: as long as it is, the hang-up is told in every turn.
    await turns(20)
    // The system alone knows what an epoll watches.
    #expect(await eventually { !isInEpoll(socket) })
    #expect(recorder.words == ["up"])
    recorder.call { link.isReading = true }
    _ = try await recorder.down()
  }

  @Loop @Test func `a new connection reads, whatever the last one did`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    recorder.call { link.connect() }
    _ = try await peer.accept()
    try await recorder.event("up")
    recorder.call {
      link.isReading = false
      link.disconnect()
      link.isReading = false
      link.connect()
    }
    let second = try await peer.accept()
    second.write("heard")
    try await recorder.received("heard")
    link.disconnect()
  }
}
