import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a self-describing board on a serial port` {
  private func withSerial(
    resets: Bool = true, ask: Bool = true,
    _ body: @escaping @Sendable (House, SketchOnSerial) async throws -> Void
  ) async throws {
    #expect(LoopThread.started)
    let folder = try TemporaryDirectory()
    let path = folder("usb-Arduino_Uno-if00")
    let board = try await SketchOnSerial(.greenhouse(), path: path, resetsWhenOpened: resets)
    do {
      try await withHouse(
        House.Options(plugs: 0),
        configured: {
          $0.devices = [
            "{ name: Greenhouse, kind: self_describing, link: { serial: \"\(path)\" }, options: { ask: \(ask) } }"
          ]
        },
        { house in try await body(house, board) })
      await board.stop()
    } catch {
      await board.stop()
      throw error
    }
  }

  @Test func `a board that starts anew when its port is opened is there, and obeys`() async throws {
    try await withSerial { house, board in
      try await house.startWithSketch()
      try await house.message(on: "greenhouse") { $0.state("temperature") == 21.5 }
      try await house.publish("ON", to: "greenhouse/pump/set")
      try await board.board.wait { $0.sketch.obeyed == ["pump=1"] }
    }
  }

  @Test func `unplugged it is offline, and plugged in again it is found by its name`() async throws {
    try await withSerial(ask: false) { house, board in
      try await house.startWithSketch()
      var seen = house.recorder.messages.count
      await board.unplug()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "offline" }
      seen = house.recorder.messages.count
      try await { @Loop in try board.plugIn() }()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "online" }
      #expect(await board.board.sketch.received.filter { $0 == "D" || $0 == "W" } == ["D"])
    }
  }

  @Test func `one that does not start anew, and was left without goodbye, is asked`() async throws {
    try await withSerial(resets: false) { house, board in
      try await house.startWithSketch()
      try await house.bridge.kill9()
      let seen = house.recorder.messages.count
      try house.start()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "online" }
      #expect(await board.board.sketch.received.contains("W"))
    }
  }
}
