import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a self-describing board on Bluetooth` {
  static let address = "C0:DE:00:00:00:07"

  @Test func `it describes itself in packets of 20 bytes, goes away and comes back`() async throws {
    #expect(LoopThread.started)
    let bus = try await PrivateBus.start()
    let bluez = await SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    let board = await SketchOnRadio(.greenhouse())
    await bluez.add(board, at: Self.address)
    try await bluez.start()
    do {
      try await withHouse(
        House.Options(plugs: 0),
        configured: {
          $0.top = ["bluetooth: { bus: \"\(bus.address)\" }"]
          $0.devices = [
            "{ name: Greenhouse, kind: self_describing, link: { ble: \"\(Self.address)\" } }"
          ]
        }
      ) { house in
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
    } catch {
      await board.stop()
      await bluez.stop()
      await bus.stop()
      throw error
    }
    await board.stop()
    await bluez.stop()
    await bus.stop()
  }
}
