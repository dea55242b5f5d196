import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(4)))
struct TCPLinkTests {
  init() { #expect(LoopThread.started) }

  /// A link that is up, with its owner and the board's end.
  @Loop @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func `bytes go both ways`(host: String) async throws {
    let peer = try Peer(host: host == "::1" ? host : "127.0.0.1")
    let recorder = Recorder()
    let link = TCPLink(host: host, port: peer.port, handler: recorder.handler)
    recorder.call { link.connect() }
    let connection = try await peer.accept()
    try await recorder.event("up")
    recorder.call { link.send(Output.Send("A", number: 7)) }
    #expect(try await connection.text(1) == "A")
    connection.write("S")
    try await recorder.received("S")
    connection.close()
    #expect(try await recorder.down() == .closedByPeer)
    #expect(recorder.words == ["up", "sent 7", "received S", "down closed by the board"])
  }

  @Loop @Test func `the owner that closes hears nothing more`() async throws {
    let (link, recorder, connection) = try await connected()
    recorder.call {
      link.send(Output.Send("A", number: 1))
      link.disconnect()
      link.disconnect()
    }
    #expect(try await connection.text(100) == "A")
    await turns()
    #expect(recorder.words == ["up"])
  }

  // MARK: attempts that fail

  @Loop @Test func `a closed port is refused`() async throws {
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: FreePort.take(), handler: recorder.handler)
    recorder.call { link.connect() }
    #expect(try await recorder.down() == .refused)
    #expect(recorder.events.count == 1)
  }

  @Loop @Test func `an attempt that gets no answer ends in time, and the loop is free meanwhile`()
    async throws
  {
    let full = try FullPort()
    let recorder = Recorder()
    // Long enough for the other link on a busy machine.
    let timeout = Duration.seconds(15)
    let link = TCPLink(host: "127.0.0.1", port: full.port, timeout: timeout, handler: recorder.handler)
    recorder.call { link.connect() }
    let (working, other, connection) = try await connected()
    connection.write("hello")
    try await other.received("hello")
    #expect(recorder.events.count == 0)
    #expect(try await recorder.down() == .timedOut(after: timeout))
    #expect(recorder.events.count == 1)
    working.disconnect()
  }

  @Loop @Test func `connecting while an attempt is under way begins no second one`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    recorder.call {
      link.connect()
      link.connect()
    }
    let connection = try await peer.accept()
    try await recorder.event("up")
    recorder.call { link.connect() }
    connection.close()
    _ = try await recorder.down()
    #expect(recorder.words == ["up", "down closed by the board"])
  }

  @Loop @Test func `an attempt that is called off leaves no trace`() async throws {
    let full = try FullPort()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: full.port, handler: recorder.handler)
    recorder.call {
      link.connect()
      link.disconnect()
      link.connect()
    }
    await turns()
    recorder.call { link.disconnect() }
    await turns()
    #expect(recorder.events.count == 0)
  }

  @Loop @Test func `an address without an answer leaves time for the next one`() async throws {
    let full = try FullPort()
    let peer = try Peer(host: "::1", port: full.port)
    let link = TestLink(["127.0.0.1", "::1"], port: full.port, timeout: .seconds(3))
    link.connect()
    _ = try await peer.accept()
    try await link.recorder.event("up")
    link.disconnect()
  }

  @Loop @Test func `an address that refuses is followed by the next one`() async throws {
    let peer = try Peer(host: "::1")
    let link = TestLink(["127.0.0.1", "127.0.0.2", "::1"], port: peer.port, timeout: .seconds(5))
    link.connect()
    _ = try await peer.accept()
    try await link.recorder.event("up")
    link.disconnect()
  }

  @Loop @Test func `of several addresses that all fail the last one's failure is told, once`() async throws {
    let link = TestLink(["127.0.0.1", "::1"], port: FreePort.take(), timeout: .seconds(5))
    link.connect()
    #expect(try await link.recorder.down() == .refused)
    #expect(link.recorder.events.count == 1)
  }

  @Loop @Test func `a name without an address is told with the reason`() async throws {
    let recorder = Recorder()
    let link = TCPLink(host: "no-such-board.invalid", port: 1, handler: recorder.handler)
    recorder.call { link.connect() }
    guard case .nameNotFound(let host, let why)? = try await recorder.down() else {
      Issue.record("\(recorder.words)")
      return
    }
    #expect(host == "no-such-board.invalid")
    #expect(!why.isEmpty)
  }

  // MARK: connections that end

  @Loop @Test func `a reset is told, and what came before it is heard`() async throws {
    let (link, recorder, connection) = try await connected()
    connection.write("last words")
    connection.reset()
    _ = try await recorder.down()
    #expect(recorder.words.first == "up")
    #expect(recorder.words.last == "down connection broke: Connection reset by peer")
    #expect(recorder.text == "last words")
    _ = link
  }

  @Loop @Test func `writing to a connection that was reset loses neither words nor numbers`() async throws {
    let (link, recorder, connection) = try await connected()
    connection.write("last words")
    connection.reset()
    recorder.call {
      for number in 1...5 as ClosedRange<UInt64> { link.send(Output.Send("x", number: number)) }
    }
    _ = try await recorder.down()
    await turns()
    #expect(recorder.text == "last words")
    #expect(recorder.words.last?.hasPrefix("down") == true)
    #expect(recorder.outcomes == [1: 1, 2: 1, 3: 1, 4: 1, 5: 1])
  }

  @Loop @Test func `resets at any time end each attempt with one down`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    for round in 0..<60 {
      let before = recorder.events.count
      recorder.call { link.connect() }
      let connection = try await peer.accept()
      for _ in 0..<(round % 4) { await turns(1) }
      if round.isMultiple(of: 3) { connection.write("x") }
      if round.isMultiple(of: 5) { recorder.call { link.send(Output.Send("y")) } }
      connection.reset()
      _ = try await recorder.down(from: before)
      await turns()
      #expect(recorder.events.all.dropFirst(before).filter { $0.word == "down" }.count == 1)
    }
  }

  @Loop @Test func `two hundred connections leave no descriptor open`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    for round in 0..<200 {
      let before = recorder.events.count
      recorder.call { link.connect() }
      let connection = try await peer.accept()
      if round.isMultiple(of: 2) { try await recorder.event("up", from: before) }
      if round.isMultiple(of: 3) {
        recorder.call { link.disconnect() }
      } else {
        connection.close()
        _ = try await recorder.down(from: before)
      }
    }
    #expect(sockets(connectedTo: peer.port).isEmpty)
    link.connect()
    _ = try await peer.accept()
    #expect(sockets(connectedTo: peer.port).count == 1, "the count counts")
    link.disconnect()
  }

  @Loop @Test func `a link that is let go of closes its connection`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    var link: TCPLink? = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    link?.connect()
    let connection = try await peer.accept()
    try await recorder.event("up")
    link = nil
    #expect(try await connection.read(1) == [])
    #expect(recorder.words == ["up"])
  }
}
