import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

/// Runs a test in a house with a self-describing board on TCP, device `greenhouse`.
func withSketch(
  _ sketch: SelfDescribingSketch = .greenhouse(), extra: String = "", top: [String] = [],
  _ body: @escaping @Sendable (House, SketchOnTCP) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let board = try await SketchOnTCP(sketch)
  try await closing({ await board.stop() }) {
    try await withHouse(
      House.Options(plugs: 0),
      configured: {
        $0.devices = [tcp(board.port, extra: extra)]
        $0.top = top
      },
      { house in try await body(house, board) })
  }
}

func tcp(_ port: UInt16, name: String = "Greenhouse", extra: String = "") -> String {
  #"{ name: \#(name), kind: self_describing, link: { tcp: "127.0.0.1:\#(port)" }\#(extra) }"#
}

extension House {
  /// The entities that Home Assistant is told of: the keys of the components in the last announcement.
  func announced(
    _ device: String, from seen: Int = 0, where matches: @escaping @Sendable (Set<String>) -> Bool
  )
    async throws
  {
    try await recorder.message(
      on: "homeassistant/device/sketch2mqtt_main_\(device)/config", from: seen, within: .patience
    ) { matches($0.components) }
  }

  func startWithSketch(_ device: String = "greenhouse") async throws {
    let seen = recorder.messages.count
    try start()
    try await message(on: "\(device)/availability", from: seen) { $0.text == "online" }
  }
}

extension RecordedMessage {
  /// Of an announcement.
  var components: Set<String> {
    guard case .object(let members)? = (try? JSON.parse(payload))?["components"] else { return [] }
    return Set(members.names)
  }
}

extension SimulatedSketchBoard {
  func perform<T: Sendable>(_ body: @Loop (SimulatedSketchBoard) -> T) -> T { body(self) }
}
