import DeviceModel
import JSON
import TestSupport
import Testing

struct `An adapter that sees to its link itself` {
  private static func probe(_ port: UInt16, kind: String) -> String {
    #"{ name: Probe, kind: \#(kind), link: { tcp: "127.0.0.1:\#(port)" } }"#
  }

  @Test func `has what needs no link at once, and a link when it asks for one`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    try await withLodge([Self.probe(board.port, kind: "lazy_probe")]) { lodge in
      try await lodge.heard("up board")
      try await lodge.order(#"{"finish":"board"}"#)
      try await lodge.heard { $0.hasPrefix("down board") }
      let seen = lodge.recorder.messages.count
      try await lodge.publish(#"{"random":3}"#, to: "sketch2mqtt/probe/alone/set")
      try await lodge.heard(from: seen, "random 3")
      let heard = try await lodge.heard(from: seen, "random 3")
      #expect(heard.count { $0 == "up board" } == 1, "nobody connected for that")
      try await lodge.publish(#"{"connect":"board"}"#, to: "sketch2mqtt/probe/alone/set")
      try await lodge.heard(from: seen) { _ in true }
      let message = try await lodge.recorder.message(on: "sketch2mqtt/probe", from: seen) {
        $0.text.ranges(of: "up board").count == 2
      }
      #expect(!message.text.isEmpty)
    }
  }

  @Test func `is told when the attempt fails`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    let port = board.port
    try await withLodge([Self.probe(port, kind: "lazy_probe")]) { lodge in
      try await lodge.heard("up board")
      try await lodge.order(#"{"finish":"board"}"#)
      try await lodge.heard { $0.hasPrefix("down board") }
      board.stop()
      let seen = lodge.recorder.messages.count
      try await lodge.publish(#"{"connect":"board"}"#, to: "sketch2mqtt/probe/alone/set")
      try await lodge.heard(from: seen) { $0.hasPrefix("down board") && $0.contains("refused") }
      try await lodge.publish(#"{"connect":"microphone"}"#, to: "sketch2mqtt/probe/alone/set")
      try await lodge.heard(from: seen, "down microphone: no such link is configured")
    }
  }

  @Test func `has a held link or none`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    let port = board.port
    board.stop()
    try await withLodge([Self.probe(port, kind: "board_probe")]) { lodge in
      try await lodge.publish(#"{"connect":"board"}"#, to: "sketch2mqtt/probe/alone/set")
      try await lodge.heard { $0.hasPrefix("down board") }
    }
  }
}
