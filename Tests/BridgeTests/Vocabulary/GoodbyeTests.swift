import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The last words of a device` {
  static func probe(_ port: UInt16, _ words: String = "good bye", kind: String = "board_probe") -> String {
    """
    { name: Probe, kind: \(kind), link: { tcp: "127.0.0.1:\(port)" }, options: { farewell: "\(words)" } }
    """
  }

  @Test func `reach the board when the bridge stops`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    try await withLodge([Self.probe(board.port)]) { lodge in
      try await lodge.heard("up board")
      await lodge.stop()
      try await board.received.first()
      #expect(board.received.all == [Array("good bye".utf8)])
    }
  }

  @Test func `reach the board when a reload takes or changes the device, before its successor connects`()
    async throws
  {
    let board = try ScriptedServer { _ in .nothing }
    try await withLodge([Self.probe(board.port)]) { lodge in
      try await lodge.heard("up board")
      lodge.text.devices = [Self.probe(board.port, "and again")]
      let seen = lodge.recorder.messages.count
      #expect(lodge.reload() == nil)
      try await board.received.first { $0 == Array("good bye".utf8) }
      try await lodge.heardAnew(from: seen, "up board")
      lodge.text.devices = []
      #expect(lodge.reload() == nil)
      try await board.received.first { $0 == Array("and again".utf8) }
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability", from: seen) { $0.text.isEmpty }
    }
  }

  @Test func `are all of them, however many`() async throws {
    let board = try ScriptedServer { _ in .nothing }
    let words = String(repeating: "bye ", count: 10_000)
    try await withLodge([Self.probe(board.port, words)]) { lodge in
      try await lodge.heard("up board")
      await lodge.stop()
      // The board reads on a thread of its own, which is not done yet.
      _ = await eventually { board.received.all.joined().count >= words.utf8.count }
      #expect(board.received.all.joined().count == words.utf8.count)
    }
  }

  @Test func `to a board that does not read hold nothing up for long`() async throws {
    let board = try QuietSocket(.listener)
    try await withLodge([Self.probe(board.port), "{ name: Other, kind: probe }"]) { lodge in
      try await lodge.heard("up board")
      // Until the sockets take no more.
      let filler = String(repeating: "x", count: 30_000)
      var sent = 0
      for count in 1...1000 where sent == count - 1 {
        let seen = lodge.recorder.messages.count
        try await lodge.order(#"{"send":"\#(filler)"}"#)
        try await lodge.order(#"{"random":\#(count % 256)}"#)
        let heard = try await lodge.heard(from: seen) { $0 == "random \(count % 256)" }
        sent = heard.count { $0 == "sent 7" }
      }
      async let stopped: Void = lodge.stop()
      try await lodge.heard("stopping")
      // Nothing is begun with a device that was said good bye to.
      let seen = lodge.recorder.messages.count
      try await lodge.order(#"{"random":1}"#, "other")
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/event", from: seen) {
        Failure($0)?.reason == "not_now"
      }
      await stopped
      #expect(
        lodge.recorder.messages.all.last { $0.topic == "sketch2mqtt/other/availability" }?.text == "offline")
    }
  }

  @Test func `leave by UDP too`() async throws {
    let board = try QuietSocket(.datagrams)
    try await withLodge([
      Self.probe(board.port).replacing("tcp", with: "udp")
    ]) { lodge in
      try await lodge.heard("up board")
      await lodge.stop()
      #expect(board.datagram() == "good bye")
    }
  }

  @Test func `leave by Bluetooth too`() async throws {
    let radio = try await Radio()
    try await withLodge(
      [
        """
        { name: Probe, kind: board_probe, link: { ble: "\(Radio.boardAddress)" },
          options: { farewell: "good bye" } }
        """
      ], top: ["bluetooth: { bus: \"\(radio.air.bus.address)\" }"]
    ) { lodge in
      try await lodge.heard("up board")
      await lodge.stop()
      try await radio.board.wait { $0.received.contains(Array("good bye".utf8)) }
    }
    await radio.air.close()
  }
}
