import DeviceModel
import JSON
import TestSupport
import Testing

struct `A device with several links` {
  static func probe(board: UInt16, microphone: String) -> String {
    """
    { name: Probe, kind: two_probe, links: { microphone: { \(microphone) }, board: { tcp: "127.0.0.1:\(board)" } } }
    """
  }

  @Test func `hears and speaks by each of them`() async throws {
    let board = try ScriptedServer { .send($0) }
    let microphone = try ScriptedServer { .send($0) }
    let text = Self.probe(board: board.port, microphone: "tcp: \"127.0.0.1:\(microphone.port)\"")
    try await withLodge([text]) { lodge in
      try await lodge.heard("up microphone")
      try await lodge.heard("up board")
      try await lodge.order(#"{"send":"a","say":"b"}"#)
      try await lodge.heard("received board: a")
      try await lodge.heard("received microphone: b")
      #expect(board.received.all == [[0x61]])
      #expect(microphone.received.all == [[0x62]])
    }
  }

  @Test func `is there as long as the primary one is`() async throws {
    let board = try ScriptedServer { _ in .close }
    let microphone = try ScriptedServer { .send($0) }
    let text = Self.probe(board: board.port, microphone: "tcp: \"127.0.0.1:\(microphone.port)\"")
    try await withLodge([text]) { lodge in
      try await lodge.heard("up microphone")
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability") { $0.text == "online" }
      microphone.stop()
      try await lodge.heard { $0.hasPrefix("down microphone") }
      _ = try await lodge.request("health")
      let words = lodge.recorder.messages.all.filter { $0.topic == "sketch2mqtt/probe/availability" }.map(
        \.text)
      // The first word is told only if there was a broker before the board.
      #expect(words.filter { $0 == "offline" }.count <= 1 && words.last == "online")
      let seen = lodge.recorder.messages.count
      try await lodge.order(#"{"send":"the board hangs up"}"#)
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability", from: seen) {
        $0.text == "offline"
      }
    }
  }

  @Test func `is not there by the other one alone`() async throws {
    let text = Self.probe(
      board: FreePort.take(), microphone: "capture: [sh, -c, 'while :; do echo x; sleep 0.1; done']")
    try await withLodge([text]) { lodge in
      try await lodge.heard { $0.hasPrefix("received microphone: x") }
      try await lodge.heard { _ in true }
      _ = try await lodge.request("health")
      let words = lodge.recorder.messages.all.filter { $0.topic == "sketch2mqtt/probe/availability" }.map(
        \.text)
      #expect(words == ["offline"])
    }
  }

  @Test func `may be a program that is begun again when it ends`() async throws {
    try await withLodge([
      "{ name: Probe, kind: board_probe, link: { capture: [sh, -c, 'echo said; echo tired >&2; exit 7'] } }"
    ]) { lodge in
      let heard = try await lodge.heard { $0.contains("tired") }
      #expect(
        heard.filter { !$0.contains("broker") }.suffix(3) == [
          "up board", "received board: said\n", "down board: connection broke: sh ended with status 7: tired",
        ])
      let message = try await lodge.recorder.message(on: "sketch2mqtt/probe") {
        (try? $0.json["heard"])?.list.count { $0 == "up board" } == 2
      }
      #expect(!message.payload.isEmpty)
    }
  }
}
