import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// A newer rover on a network or a serial port: the same dead man's switch as over the radio.
struct `The bridge with a rover on a wire` {
  private static func sketch() -> SelfDescribingSketch {
    var sketch = SelfDescribingSketch(
      "Rover", limit: 48, isQuiet: true,
      [
        SketchEntity("o", "direction", "Direction", "oforward", "obackward"),
        SketchEntity("n", "throttle", "Throttle", "r0:100:1", "u%", "p0"),
        SketchEntity("n", "steering", "Steering", "r-100:100:1", "u%", "p0"),
        SketchEntity("p", "stop", "Stop"),
        SketchEntity("s", "tilt_x", "Tilt across", "um/s²", "sm", "p2"),
        SketchEntity("s", "tilt_y", "Tilt along", "um/s²", "sm", "p2"),
        SketchEntity("b", "obstacle", "Obstacle", "cproblem"),
        SketchEntity("s", "distance", "Distance", "ucm", "p0"),
      ])
    let values = [
      "direction": "0", "throttle": "0", "steering": "0", "tilt_x": "0.1", "tilt_y": "0", "obstacle": "0",
      "distance": "80",
    ]
    for (key, value) in values { sketch.set(key, value) }
    return sketch
  }

  private func withRover(
    on wire: WiredBoard.Wire = .tcp, options: String = "command_timeout: 1h",
    _ body: @escaping @Sendable (House, WiredBoard) async throws -> Void
  ) async throws {
    #expect(LoopThread.started)
    let wired = try await { @Loop in try WiredBoard(SimulatedSketchBoard(Self.sketch()), on: wire) }()
    let link = await wired.link
    do {
      try await withHouse(
        House.Options(plugs: 0),
        configured: {
          $0.devices = [
            "{ name: Rover, kind: rover, link: { \(link) }, options: { form: lines, \(options) } }"
          ]
        },
        { house in
          try house.start()
          try await house.message(on: "rover/availability") { $0.text == "online" }
          try await body(house, wired)
        })
      await wired.stop()
    } catch {
      await wired.stop()
      throw error
    }
  }

  private func drive(_ house: House, _ rover: WiredBoard, _ throttle: Int = 40) async throws {
    try await house.publish("\(throttle)", to: "rover/throttle/set")
    try await rover.board.wait { $0.sketch.obeyed.last == "throttle=\(throttle)" }
  }

  @Test(arguments: WiredBoard.Wire.allCases)
  func `is told to stand first, driven, and stopped when the bridge ends`(wire: WiredBoard.Wire) async throws
  {
    try await withRover(on: wire) { house, rover in
      #expect(await rover.board.receivedBytes.starts(with: "T=0".utf8))
      try await house.message(on: "rover") { $0.state("obstacle") == "OFF" && $0.state("distance") == 80 }
      try await house.publish(#"{"direction":"backward","throttle":50,"steering":-30}"#, to: "rover/set")
      try await rover.board.wait { $0.sketch.obeyed.last == "steering=-30" }
      #expect(await rover.board.sketch.obeyed == ["direction=1", "throttle=50", "steering=-30"])
      #expect(try await house.bridge.terminate() == .code(0))
      try await rover.board.wait { $0.sketch.obeyed.last == "stop=" && $0.sketch.received.last == "B" }
    }
  }

  @Test func `stands when the phone that streams falls silent, and when the broker is lost`() async throws {
    try await withRover { house, rover in
      for _ in 0..<5 { try await house.publish(#"{"pitch":60,"roll":0}"#, to: "rover/attitude/set") }
      try await rover.board.wait { $0.sketch.obeyed.last == "throttle=63" }
      try await rover.board.wait { $0.sketch.obeyed.last == "stop=" }
      try await house.message(on: "rover/event") { $0.text.contains("attitude_ceased") }
      try await drive(house, rover)
      try await house.broker.kill()
      try await rover.board.wait { $0.sketch.obeyed.last == "stop=" }
    }
  }

  @Test func `stands first of all when the connection is back, and does nothing that was wanted before`()
    async throws
  {
    try await withRover { house, rover in
      try await drive(house, rover)
      let before = await rover.board.receivedBytes.count
      let seen = house.recorder.messages.count
      await rover.cut()
      try await house.message(on: "rover/availability", from: seen) { $0.text == "online" }
      #expect(await rover.board.receivedBytes.dropFirst(before).starts(with: "T=0".utf8))
      try await house.message(on: "rover", from: seen) { $0.state("throttle") == 0 }
      #expect(await rover.board.sketch.obeyed.filter { $0.hasPrefix("throttle") } == ["throttle=40"])
    }
  }

  /// The network takes what is sent, and hands it over when it likes. One word is on its way at a time.
  @Test func `does not get going late, for a network that stalled, when it was stopped meanwhile`()
    async throws
  {
    try await withRover { house, rover in
      await { @Loop in rover.isStalled = true }()
      let seen = house.recorder.messages.count
      try await house.publish("70", to: "rover/throttle/set")
      try await house.message(on: "rover", from: seen) { $0.state("throttle") == 70 }
      try await house.publish("PRESS", to: "rover/stop/set")
      try await house.message(on: "rover", from: seen) { $0.state("throttle") == 0 }
      await { @Loop in rover.isStalled = false }()
      try await rover.board.wait { $0.sketch.obeyed.last == "stop=" }
      #expect(await !rover.board.sketch.obeyed.contains("throttle=70"))
    }
  }

  @Test func `that was told to go faster by a network that stalled stands at once behind it`() async throws {
    try await withRover { house, rover in
      try await drive(house, rover)
      await { @Loop in rover.isStalled = true }()
      let seen = house.recorder.messages.count
      try await house.publish("90", to: "rover/throttle/set")
      // Nobody answers: the bridge gives up, tells so, and stops the rover.
      #expect(try await house.failure(from: seen).property == "throttle")
      try await house.message(on: "rover", from: seen) { $0.state("throttle") == 0 }
      await { @Loop in rover.isStalled = false }()
      try await rover.board.wait { $0.sketch.obeyed.last == "stop=" }
      #expect(await rover.board.sketch.obeyed.suffix(2) == ["throttle=90", "stop="])
    }
  }
}
