import BlueZ
import EventLoop
import Simulation
import TestSupport
import Testing

struct PetDoorSketchTests {
  private func lines(_ sketch: inout PetDoorSketch, _ environment: PetDoorEnvironment, turns: Int) -> [String]
  {
    (0..<turns).map { _ in String(decoding: sketch.turn(in: environment) ?? [], as: UTF8.self) }
  }

  @Test func `the first reading after power-up is the thermometer's own`() {
    var sketch = PetDoorSketch()
    #expect(lines(&sketch, PetDoorEnvironment(), turns: 3) == ["s:0;t:85.00", "s:1;t:20.00", "s:1;t:20.00"])
    #expect(String(decoding: sketch.greeting, as: UTF8.self) == "m:0")
  }

  @Test(arguments: [
    (731, 20.0, "s:1;t:20.00"), (700, 20, "s:0;t:20.00"), (900, 1.9, "s:0;t:1.50"), (900, 2, "s:1;t:2.00"),
    (900, 33, "s:1;t:33.00"), (900, 33.5, "s:0;t:33.50"), (900, -0.2, "s:0;t:-0.50"),
    (900, -9.6, "s:0;t:-10.00"),
  ])
  func `light and temperature decide`(light: Int, temperature: Double, line: String) {
    var sketch = PetDoorSketch()
    var environment = PetDoorEnvironment()
    environment.light = light
    environment.temperatureCelsius = temperature
    _ = sketch.turn(in: environment)
    let said = sketch.turn(in: environment) ?? []
    if temperature > -9 {
      #expect(String(decoding: said, as: UTF8.self) == line)
    } else {
      #expect(said.contains { $0 > 127 })
    }
  }

  @Test func `it hunts around its thresholds`() {
    var sketch = PetDoorSketch()
    var environment = PetDoorEnvironment()
    environment.light = 700
    environment.lightNoise = 40
    _ = sketch.turn(in: environment)
    #expect(lines(&sketch, environment, turns: 4).map { $0.prefix(3) } == ["s:0", "s:1", "s:0", "s:1"])
    environment.lightNoise = 20
    #expect(lines(&sketch, environment, turns: 4).map { $0.prefix(3) } == ["s:1", "s:1", "s:1", "s:1"])
    environment.temperatureCelsius = 2
    environment.temperatureNoiseCelsius = 0.3
    #expect(
      lines(&sketch, environment, turns: 4) == ["s:0;t:1.50", "s:1;t:2.00", "s:0;t:1.50", "s:1;t:2.00"])
  }

  @Test func `only the first byte of a packet counts, and anything but 0 locks`() {
    var sketch = PetDoorSketch()
    let environment = PetDoorEnvironment()
    _ = sketch.turn(in: environment)
    for (packet, isLocked) in [
      ("1", true), ("01", false), ("x", true), ("", true), ("0", false), ("10", true),
    ] {
      sketch.take(Array(packet.utf8))
      #expect(sketch.isManuallyLocked == isLocked)
      #expect(lines(&sketch, environment, turns: 1) == [isLocked ? "s:0;t:20.00" : "s:1;t:20.00"])
    }
    #expect(String(decoding: sketch.greeting, as: UTF8.self) == "m:1")
  }

  @Test func `a jammed latch stays where it is`() {
    var sketch = PetDoorSketch()
    var environment = PetDoorEnvironment()
    _ = lines(&sketch, environment, turns: 2)
    environment.isLatchJammed = true
    sketch.take([UInt8(ascii: "1")])
    #expect(lines(&sketch, environment, turns: 2) == ["s:1;t:20.00", "s:1;t:20.00"])
    environment.isLatchJammed = false
    #expect(lines(&sketch, environment, turns: 1) == ["s:0;t:20.00"])
  }

  @Test func `a broken thermometer and the overflowing buffer`() {
    var sketch = PetDoorSketch()
    var environment = PetDoorEnvironment()
    environment.isThermometerBroken = true
    #expect(lines(&sketch, environment, turns: 2) == ["s:0;t:-127.00", "s:0;t:-127.00"])
    environment.isThermometerBroken = false
    environment.temperatureCelsius = -10
    #expect(sketch.turn(in: environment)?.contains { $0 > 127 } == true)
    sketch.overflow = .reset
    #expect(sketch.turn(in: environment) == nil)
    environment.temperatureCelsius = -9.5
    #expect(lines(&sketch, environment, turns: 1) == ["s:0;t:-9.50"])
  }
}

extension BlueZTests {
  @Suite struct PetDoor {
    init() { #expect(LoopThread.started) }

    @Loop @Test func `a pet door speaks, obeys, and forgets its lock when it is reset`() async throws {
      try await Radio.with { radio in
        let door = PetDoorBoard(turn: .milliseconds(5))
        let board = radio.board(door)
        let port = Port(radio, .address(board.address))
        try await port.up()
        try await port.received.first { $0 == "s:1;t:20.00" }
        #expect(port.received.all.allSatisfy { $0.utf8.count <= 20 })
        #expect(await port.send("1").failure == nil)
        try await port.received.first { $0 == "s:0;t:20.00" }
        #expect(door.sketch.isManuallyLocked)
        var seen = port.events.count
        door.reset()
        try await port.up(from: seen)
        #expect(!door.sketch.isManuallyLocked)
        let count = port.received.count
        try await port.received.first(from: count) { $0 == "s:1;t:20.00" }
        door.overflow = .reset
        door.environment.temperatureCelsius = -12
        seen = port.events.count
        try await port.down(from: seen)
        door.powerOff()
      }
    }
  }
}
