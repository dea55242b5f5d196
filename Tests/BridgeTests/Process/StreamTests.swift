import DeviceModel
import JSON
import Synchronization
import TestSupport
import Testing

struct `Raw lines of a uart` {
  private static let go = "go"

  /// A board that sends `answer` for each line `go` and nothing else.
  private func withBoard(
    answer: [UInt8] = Array("hello\n".utf8), link: String = "", mqtt: [String] = [],
    _ body: (House, ScriptedServer) async throws -> Void
  ) async throws {
    let board = try ScriptedServer { $0 == Array("go\n".utf8) ? .send(answer) : .nothing }
    var options = House.Options()
    options.plugs = 0
    // What the recorder cannot read as fast as it comes is not to be lost at the broker.
    options.broker.lines = ["max_queued_messages 0", "max_queued_bytes 0"]
    try await withHouse(
      options,
      configured: { text in
        text.mqtt = mqtt
        text.devices = [
          """
          { name: Board, kind: uart, link: { tcp: "127.0.0.1:\(board.port)"\(link) }, \
          options: { framing: line } }
          """
        ]
      }
    ) { house in
      try house.start()
      try await house.message(on: "bridge/main/state") { $0.text == "online" }
      try await body(house, board)
    }
  }

  /// Sends lines until one arrives: the link comes up at its own time.
  private func wake(_ house: House) async throws {
    for _ in 0..<100 {
      let seen = house.recorder.messages.count
      try await house.publish(Self.go, to: "board/tx")
      if (try? await house.message(on: "board/rx", from: seen, within: .milliseconds(300))) != nil { return }
    }
    Issue.record("the board was never reached")
  }

  @Test func `go both ways`() async throws {
    try await withBoard { house, board in
      try await wake(house)
      let line = try await house.message(on: "board/rx")
      #expect(line.text == "hello")
      #expect(!line.isRetained)
      #expect(line.qos == 0)
      try await house.message(on: "board/availability") { $0.text == "online" }
      try await house.publish("anything", to: "board/tx")
      try await board.received.first(within: .patience) { $0 == Array("anything\n".utf8) }
    }
  }

  @Test func `are not sent when they are retained, too long, or the board is away`() async throws {
    try await withBoard { house, board in
      try await wake(house)
      var seen = house.recorder.messages.count
      try await house.publish("retained", to: "board/tx", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")
      seen = house.recorder.messages.count
      try await house.recorder.publish([UInt8](repeating: 0x41, count: 70_000), to: "sketch2mqtt/board/tx")
      #expect(try await house.failure(from: seen).reason == "too_large")
      board.stop()
      try await house.message(on: "board/availability", from: seen) { $0.text == "offline" }
      seen = house.recorder.messages.count
      try await house.publish("later", to: "board/tx")
      let failure = try await house.failure(from: seen)
      #expect(["away", "busy", "link_error"].contains(failure.reason))
      #expect(failure.device == "board")
      #expect(!board.received.all.joined().contains(UInt8(ascii: "A")))
    }
  }

  @Test func `are not lost, however many come at once`() async throws {
    let count = 20_000
    let flood = (0..<count).map { "line \($0)\n" }.joined()
    try await withBoard(answer: Array(flood.utf8), mqtt: ["queue: 10"]) { house, _ in
      try await house.message(on: "board/availability")
      for _ in 0..<100 where house.recorder.latest["sketch2mqtt/board/rx"] == nil {
        try await house.publish(Self.go, to: "board/tx")
        _ = try? await house.message(on: "board/rx", within: .milliseconds(300))
      }
      try await house.message(on: "board/rx", within: .seconds(60)) { $0.text == "line \(count - 1)" }
      let lines = house.recorder.messages.all.filter { $0.topic == "sketch2mqtt/board/rx" }.map(\.text)
      #expect(lines.count == count)
      #expect(lines.first == "line 0")
      #expect(zip(lines.indices, lines).allSatisfy { "line \($0)" == $1 })
    }
  }

  @Test func `go on when the broker is back, although it went in the middle of a flood`() async throws {
    let flood = [UInt8](repeating: 0x41, count: 199) + [0x0A]
    let answer = Array(repeatElement(flood, count: 20_000).joined())
    try await withBoard(answer: answer, mqtt: ["queue: 10"]) { house, _ in
      try await wake(house)
      try await house.broker.kill()
      try await house.bridge.errors.first(within: .patience) { $0.contains("no broker") }
      try await house.broker.start()
      let client = try await MQTTRecorder(port: house.broker.port)
      try await client.message(on: "sketch2mqtt/bridge/main/state", within: .patience) { $0.text == "online" }
      try await client.publish(Self.go, to: "sketch2mqtt/board/tx")
      try await client.message(on: "sketch2mqtt/board/rx", within: .patience)
    }
  }
}
