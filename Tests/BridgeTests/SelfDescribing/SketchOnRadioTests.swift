import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a self-describing board on Bluetooth` {
  @Test func `it describes itself in packets of 20 bytes, goes away and comes back`() async throws {
    try await withBoard(
      { SketchOnRadio(.greenhouse()) },
      device: "{ name: Greenhouse, kind: self_describing, link: { ble: \"\(Air.boardAddress)\" } }"
    ) { house, there in
      let board = there.board
      try await house.startWithSketch()
      try await house.message(on: "greenhouse") {
        $0.state("temperature") == 21.5 && $0.state("roof") == "closed"
      }
      try await house.publish("0123456789abcdef", to: "greenhouse/message/set")
      try await board.board.wait { $0.sketch.obeyed == ["message=\"0123456789abcdef"] }
      let seen = house.recorder.messages.count
      await board.drop()
      try await house.message(on: "greenhouse/availability", from: seen) { $0.text == "online" }
      #expect(await board.board.sketch.received.count { $0 == "D" } == 1)
    }
  }
}
