import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// The rover's sketch as an UNO runs it.
@Suite(.enabled(if: Firmware.areThere("Rover"), Firmware.notThere))
struct RoverFirmwareTests {
  init() { #expect(LoopThread.started) }

  private static let address = "C0:DE:00:00:00:03"

  /// Runs `body` with a rover within the bridge's reach, once it is online and stands.
  @Loop private func drive(
    options: String = "command_timeout: 1h",
    _ body: @escaping @Loop (FirmwareHouse, FirmwareRover, FirmwareRadio, SimulatedBoard) async throws -> Void
  ) async throws {
    try await FirmwareAir.with { air in
      let rover = try await FirmwareRover()
      let radio = FirmwareRadio(name: "S2MRovr")
      let board = air.bluez.add(radio, at: Self.address)
      try await radio.join(rover.simulator)
      try await FirmwareHouse.with(
        """
        bluetooth: { bus: "\(air.bus.address)" }
        devices:
          - { name: Rover, kind: rover, link: { ble: "\(Self.address)" }, options: { \(options) } }
        """
      ) { house in
        try await house.message("rover/availability") { $0.text == "online" }
        try await house.message("rover") { $0.state("throttle") == 0 }
        try await body(house, rover, radio, board)
      }
      radio.leave()
      await rover.simulator.powerOff()
    }
  }

  @Test @Loop func `by packets over Bluetooth LE the motors follow values and words`() async throws {
    try await drive { house, rover, _, _ in
      #expect(try await rover.motors == RoverMotors())
      try await house.publish(#"{"throttle":60,"steering":-50}"#, to: "rover/set")
      try await rover.motors(become: RoverMotors(left: 76, right: 153))
      // Less throttle does not make a wheel race.
      try await house.publish("20", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 25, right: 51))
      try await house.publish("backward", to: "rover/direction/set")
      try await rover.motors(become: RoverMotors(isForward: false))
      try await house.publish("SLOW BACKWARD", to: "rover/voice/set")
      try await rover.motors(become: RoverMotors(isForward: false, left: 102, right: 102))
      try await house.publish("PRESS", to: "rover/stop/set")
      try await rover.motors(become: RoverMotors(isForward: false))
    }
  }

  @Test @Loop func `its accelerometer is told, and what it tells is tilt`() async throws {
    try await drive { house, rover, _, _ in
      #expect(try await rover.measures)
      try await rover.tilt(across: -128, along: 64)
      try await house.message("rover") {
        $0.state("tilt_x") == -4.89 && $0.state("tilt_y") == 2.44 && $0.state("tipping") == "ON"
      }
      // Upside down a classic board's text was longer than its buffer.
      try await rover.tilt(across: -262, along: 0)
      try await house.message("rover") { $0.state("tilt_x") == -10.02 && $0.state("tilt_y") == 0 }
    }
  }

  @Test @Loop func `what stands before it stops it, and does not set it going when it is gone`() async throws
  {
    try await drive { house, rover, _, _ in
      let light = try await rover.simulator.changes(of: "A1")
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      try await rover.look(at: 10)
      try await light.level(true)
      try await rover.stands()
      // A command for the other wheel is heard, and moves nothing.
      try await house.publish("30", to: "rover/steering/set")
      try await house.message("rover") { $0.state("steering") == 30 }
      try await rover.stands()
      let seen = light.count
      try await rover.look(at: 60)
      try await light.level(false, from: seen)
      #expect(try await rover.motors.isStanding)
      try await house.publish("40", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 102, right: 71))
    }
  }

  @Test @Loop func `its motors stop when a phone's stream of attitudes ceases`() async throws {
    try await drive { house, rover, _, _ in
      for _ in 0..<5 {
        try await house.publish(#"{"pitch":60,"roll":0}"#, to: "rover/attitude/set")
        try await Loop.sleep(for: .milliseconds(200))
      }
      try await rover.motors(become: RoverMotors(left: 160, right: 160))
      try await house.message("rover/event") { $0.text.contains("attitude_ceased") }
      try await rover.stands()
    }
  }

  @Test @Loop func `its motors stop when the bridge is stopped`() async throws {
    try await drive { house, rover, _, _ in
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      #expect(try await house.bridge.terminate() == .code(0))
      try await rover.stands()
    }
  }

  @Test @Loop func `it stops by itself when its link drops, and by the bridge when the broker does`()
    async throws
  {
    try await drive { house, rover, _, board in
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      var seen = house.seen
      board.isAdvertising = false
      board.drop()
      try await rover.stands()
      try await house.message("rover/availability", from: seen) { $0.text == "offline" }
      board.isAdvertising = true
      try await house.message("rover/availability", from: seen) { $0.text == "online" }
      seen = house.seen
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      try await house.loseBroker()
      try await rover.stands()
    }
  }

  @Test @Loop func `after a power cut it stands, and drives when it is told anew`() async throws {
    try await drive { house, before, radio, board in
      try await house.publish("50", to: "rover/throttle/set")
      try await before.motors(become: RoverMotors(left: 127, right: 127))
      let seen = house.seen
      board.isAdvertising = false
      radio.leave()
      await before.simulator.powerOff()
      try await house.message("rover/availability", from: seen) { $0.text == "offline" }
      let after = try await FirmwareRover()
      try await radio.join(after.simulator)
      board.isAdvertising = true
      try await house.message("rover/availability", from: seen) { $0.text == "online" }
      #expect(try await after.motors == RoverMotors())
      try await house.publish("30", to: "rover/throttle/set")
      try await after.motors(become: RoverMotors(left: 76, right: 76))
      await after.simulator.powerOff()
    }
  }

  // MARK: In lines

  @Test @Loop func `in lines it tells its obstacle and its distance, and the motors follow`() async throws {
    try await drive(options: "form: lines, command_timeout: 1h") { house, rover, _, _ in
      try await rover.look(at: 60)
      try await rover.tilt(across: 10, along: -20)
      try await house.message("rover") {
        $0.state("obstacle") == "OFF" && $0.state("distance") == 60 && $0.state("tilt_x") == 0.38
          && $0.state("tilt_y") == -0.76
      }
      try await house.publish(#"{"direction":"backward","throttle":40,"steering":25}"#, to: "rover/set")
      try await rover.motors(become: RoverMotors(isForward: false, left: 102, right: 76))
      try await house.publish("forward", to: "rover/direction/set")
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))

      try await rover.look(at: 12)
      try await house.message("rover") { $0.state("obstacle") == "ON" && $0.state("distance") == 12 }
      try await house.message("rover/event") { $0.text.contains("\"obstacle\"") }
      try await rover.stands()
      try await house.publish("30", to: "rover/throttle/set")
      try await house.message("bridge/main/event") { $0.text.contains("something is in the way") }
      #expect(try await rover.motors.isStanding)
      // Away from it.
      try await house.publish(#"{"direction":"backward","throttle":30}"#, to: "rover/set")
      try await rover.motors(become: RoverMotors(isForward: false, left: 76, right: 76))

    }
  }

  @Test @Loop func `in lines it drives as long as its bridge lives, and stands three seconds after its end`()
    async throws
  {
    try await drive(options: "form: lines, command_timeout: 1h") { house, rover, _, board in
      try await house.message("rover") { $0.state("obstacle") == "OFF" }
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      // Nobody says anything; the bridge's pings are enough.
      let end = try await rover.simulator.uptime() + .seconds(8)
      while try await rover.simulator.uptime() < end {
        try await Loop.sleep(for: .milliseconds(20))
        #expect(try await !rover.motors.isStanding)
      }
      // Whoever is killed says nothing any more, and the link outlives him.
      try await rover.simulator.ask("pause")
      try await house.bridge.kill9()
      try await rover.simulator.ask("run 1000")
      #expect(try await !rover.motors.isStanding)
      try await rover.simulator.ask("run 2500")
      #expect(try await rover.motors.isStanding)
      #expect(board.isConnected)
    }
  }

  @Test @Loop func `in lines it stops when its driver is gone, its link drops or its power fails`()
    async throws
  {
    try await drive(options: "form: lines, command_timeout: 1h") { house, rover, radio, board in
      try await house.publish(#"{"throttle":50,"steering":-20}"#, to: "rover/set")
      try await rover.motors(become: RoverMotors(left: 101, right: 127))
      try await house.publish("offline", to: "rover/driver/set")
      try await rover.stands()

      var seen = house.seen
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      board.isAdvertising = false
      board.drop()
      try await rover.stands()
      try await house.message("rover/availability", from: seen) { $0.text == "offline" }
      board.isAdvertising = true
      try await house.message("rover/availability", from: seen) { $0.text == "online" }

      seen = house.seen
      try await house.publish("50", to: "rover/throttle/set")
      try await rover.motors(become: RoverMotors(left: 127, right: 127))
      radio.leave()
      await rover.simulator.powerOff()
      try await house.message("rover/availability", from: seen) { $0.text == "offline" }
      let after = try await FirmwareRover()
      try await radio.join(after.simulator)
      try await house.message("rover", from: seen) { $0.state("obstacle") == "OFF" }
      #expect(try await after.motors == RoverMotors())
      await after.simulator.powerOff()
    }
  }
}
