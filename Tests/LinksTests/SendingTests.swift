import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

/// What becomes of sends and of reading over a real connection, whatever the board and the owner do.
@Suite(.timeLimit(.minutes(4)))
struct SendingTests {
  init() { #expect(LoopThread.started) }

  /// Larger than what both sockets' buffers hold, in pieces that the outbox takes.
  private static let piece = [UInt8](repeating: 0x55, count: 32 * 1024)

  /// Sends pieces until the link keeps one waiting; returns how many bytes were sent.
  @Loop private func fill(_ link: TCPLink, _ recorder: Recorder) async -> Int {
    var number: UInt64 = 1_000_000
    var bytes = 0
    while true {
      number += 1
      bytes += Self.piece.count
      recorder.call { link.send(Output.Send(Self.piece, number: number)) }
      await turns()
      if recorder.outcomes[number] == nil { return bytes }
    }
  }

  @Loop @Test func `sends before the link is up are told as not sent, once`() async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    recorder.call {
      link.send(Output.Send("a", number: 1))
      link.connect()
      link.send(Output.Send("b", number: 2))
    }
    let connection = try await peer.accept()
    try await recorder.event("up")
    await turns()
    link.disconnect()
    #expect(try await connection.read(1) == [])
    #expect(recorder.words == ["notSent 1: not connected", "notSent 2: not connected", "up"])
  }

  @Loop @Test func `a board that reads slowly gets every byte in order`() async throws {
    let (link, recorder, connection) = try await connected()
    let filled = await fill(link, recorder)
    recorder.call {
      link.send(Output.Send("abc", number: 1))
      link.send(Output.Send("def", number: 2))
    }
    #expect(recorder.outcomes[1] == nil)
    _ = try await connection.read(filled)
    #expect(try await connection.text(6) == "abcdef")
    try await recorder.events.first { $0.detail == "2" }
    #expect(recorder.outcomes.values.allSatisfy { $0 == 1 })
    link.disconnect()
  }

  @Loop @Test func `the latest value supersedes those that wait`() async throws {
    let (link, recorder, connection) = try await connected()
    let filled = await fill(link, recorder)
    recorder.call {
      for number in 1...5 as ClosedRange<UInt64> {
        link.send(Output.Send("\(number)", .latest("throttle"), number: number))
      }
      link.send(Output.Send(".", number: 6))
    }
    _ = try await connection.read(filled)
    #expect(try await connection.text(2) == "5.")
    try await recorder.events.first { $0.detail == "6" }
    #expect(
      recorder.words.filter { $0.hasPrefix("notSent") }
        == (1...4).map { "notSent \($0): superseded by a later command" })
    #expect(recorder.outcomes.values.allSatisfy { $0 == 1 })
    link.disconnect()
  }

  @Loop @Test func `what expires is told in its time, though the board reads nothing`() async throws {
    let (link, recorder, connection) = try await connected()
    let filled = await fill(link, recorder)
    recorder.call {
      link.send(Output.Send("late", .expires(.milliseconds(50)), number: 1))
      link.send(Output.Send("kept", .expires(.seconds(60)), number: 2))
      link.send(Output.Send("."))
      link.send(Output.Send("now or never", .expires(.zero), number: 3))
    }
    try await recorder.events.first { $0.detail == "3: could not leave in time" }
    try await recorder.events.first { $0.detail == "1: could not leave in time" }
    _ = try await connection.read(filled)
    #expect(try await connection.text(5) == "kept.")
    try await recorder.events.first { $0.detail == "2" }
    recorder.call { link.send(Output.Send("now", .expires(.zero), number: 4)) }
    #expect(try await connection.text(3) == "now")
    link.disconnect()
  }

  @Loop @Test func `a board that never reads ends the link at the limit, and nothing leaves after a gap`()
    async throws
  {
    let (link, recorder, connection) = try await connected()
    let filled = await fill(link, recorder)
    let before = recorder.outcomes
    recorder.call {
      for number in 1...3 as ClosedRange<UInt64> { link.send(Output.Send(Self.piece, number: number)) }
      link.send(Output.Send("after the gap", number: 4))
    }
    #expect(try await recorder.down() == .overflow(limit: 65536))
    for number in 1...4 as ClosedRange<UInt64> { #expect(recorder.outcomes[number] == 1) }
    #expect(before.values.allSatisfy { $0 == 1 })
    let arrived = try await connection.read(filled + 4 * Self.piece.count)
    #expect(arrived.allSatisfy { $0 == 0x55 })
  }

  @Loop @Test func `a send larger than may wait ends the link and is not sent in part`() async throws {
    let (link, recorder, connection) = try await connected()
    recorder.call {
      link.send(Output.Send([UInt8](repeating: 1, count: 10_000_000), number: 1))
      link.send(Output.Send("x", number: 2))
    }
    _ = try await recorder.down()
    #expect(recorder.words.first == "up")
    #expect(recorder.outcomes == [1: 1, 2: 1])
    #expect(try await connection.read(1) == [])
  }

  @Loop @Test func `the numbers that wait when the board resets are told before the end`() async throws {
    let (link, recorder, connection) = try await connected()
    _ = await fill(link, recorder)
    recorder.call { link.send(Output.Send("x", number: 1)) }
    connection.reset()
    _ = try await recorder.down()
    #expect(recorder.outcomes.values.allSatisfy { $0 == 1 })
    #expect(recorder.outcomes[1] == 1)
    #expect(recorder.words.last?.hasPrefix("down") == true)
  }

  @Loop @Test func `a number sent in the turn in which the board closes is told`() async throws {
    let (link, recorder, connection) = try await connected()
    connection.close()
    // In this turn the end is already waiting to be read.
    recorder.call { link.send(Output.Send("x", number: 1)) }
    _ = try await recorder.down()
    #expect(recorder.outcomes == [1: 1])
  }

  // MARK: an owner that acts from within

  @Loop @Test(arguments: ["up", "received", "sent", "notSent", "down"])
  func `an owner may connect anew from within any event`(word: String) async throws {
    let peer = try Peer()
    let recorder = Recorder()
    let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
    var hasActed = false
    recorder.onEvent = { event in
      guard event.word == word, !hasActed else { return }
      hasActed = true
      link.disconnect()
      link.send(Output.Send("z", number: 9))
      link.connect()
    }
    recorder.call {
      link.send(Output.Send("early", number: 1))
      link.connect()
    }
    let first = try await peer.accept()
    if word != "up", word != "notSent" {
      try await recorder.event("up")
      recorder.call { link.send(Output.Send("a", number: 2)) }
      first.write("b")
      if word == "down" { first.close() }
      try await recorder.event(word)
    }
    // Whatever it was, a connection comes of it that works.
    let second = word == "notSent" ? first : try await peer.accept()
    let acted = recorder.events.all.firstIndex { $0.word == word } ?? 0
    try await recorder.event("up", from: acted + 1)
    recorder.call { link.send(Output.Send("c", number: 3)) }
    #expect(try await second.text(1) == "c")
    second.close()
    _ = try await recorder.down(from: acted + 1)
    #expect(recorder.outcomes[9] == 1)
    #expect(recorder.outcomes.values.allSatisfy { $0 == 1 })
  }

  @Loop @Test func `an owner may close from within a failure's first event and hears no other`() async throws
  {
    let (link, recorder, connection) = try await connected()
    _ = await fill(link, recorder)
    recorder.onEvent = { event in if event.word == "notSent" { link.disconnect() } }
    recorder.call {
      link.send(Output.Send("x", number: 1))
      link.send(Output.Send("y", number: 2))
    }
    let before = recorder.events.count
    connection.reset()
    try await recorder.event("notSent")
    await turns()
    #expect(recorder.events.count == before + 1)
  }

  @Loop @Test func `an owner that answers each chunk at once is served`() async throws {
    let (link, recorder, connection) = try await connected()
    recorder.onEvent = { event in
      if case .received(let bytes) = event { link.send(Output.Send(bytes)) }
    }
    for round in 0..<50 {
      connection.write("ping \(round % 10)")
      #expect(try await connection.text(6) == "ping \(round % 10)")
    }
    link.disconnect()
  }
}
