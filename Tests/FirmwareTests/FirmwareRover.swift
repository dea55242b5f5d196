import EventLoop
import Simulation
import TestSupport
import Testing

/// What the motors get, at the pins.
struct RoverMotors: Equatable, Sendable {
  var turnsForward = Sides(left: true, right: true)
  /// 0 to 255.
  var width = Sides(left: 0, right: 0)

  struct Sides<Value: Equatable & Sendable>: Equatable, Sendable {
    var left: Value
    var right: Value
  }

  init(isForward: Bool = true, left: Int = 0, right: Int = 0) {
    turnsForward = Sides(left: isForward, right: isForward)
    width = Sides(left: left, right: right)
  }

  var isStanding: Bool { width == Sides(left: 0, right: 0) }
}

/// The rover's sketch as an UNO runs it, with its accelerometer and what its eye sees.
@Loop final class FirmwareRover {
  let simulator: FirmwareSimulator
  /// An ADXL345, whose registers the simulator holds.
  private static let accelerometer = "0x53"

  private let directionPins: (left: String, right: String)

  init(
    _ sketch: String = "Rover", _ arguments: [String] = ["--uart", "0=tcp:0"],
    directionPins: (String, String) = ("D4", "D7")
  ) async throws {
    self.directionPins = directionPins
    simulator = try await Firmware.start(sketch, arguments + ["--i2c", Self.accelerometer])
    try await look(at: 80)
  }

  var motors: RoverMotors {
    get async throws {
      var motors = RoverMotors()
      motors.turnsForward.left = try await simulator.level(of: directionPins.left)
      motors.turnsForward.right = try await simulator.level(of: directionPins.right)
      motors.width.left = try await simulator.pulseWidth(of: "D5")
      motors.width.right = try await simulator.pulseWidth(of: "D6")
      return motors
    }
  }

  func motors(
    become expected: RoverMotors, at location: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await motors { $0 == expected } == expected, sourceLocation: location)
  }

  func stands(at location: Testing.SourceLocation = #_sourceLocation) async throws {
    #expect(try await motors(when: \.isStanding).isStanding, sourceLocation: location)
  }

  /// What the motors get when that `matches`, or after a minute. Only asking tells: their edges are a timer's, not the
  /// sketch's.
  private func motors(when matches: (RoverMotors) -> Bool) async throws -> RoverMotors {
    let deadline = MonotonicTime.now.advanced(by: .seconds(60))
    var last = try await motors
    while !matches(last), MonotonicTime.now < deadline {
      try await Loop.sleep(for: .milliseconds(5))
      last = try await motors
    }
    return last
  }

  /// What is ahead, in centimetres, as a GP2Y0A21 tells it.
  func look(at centimetres: Int) async throws {
    try await simulator.set(analog: 0, reading: 4800 / centimetres + 20)
  }

  /// In steps of 3.9 mg.
  func tilt(across: Int16, along: Int16) async throws {
    let bytes = [across, along].flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try await simulator.ask("i2c write \(Self.accelerometer) 0x32 \(digits)")
  }

  /// Whether the sketch has told its accelerometer to measure, over ±2 g in full resolution.
  var measures: Bool {
    get async throws {
      let power = try await simulator.ask("i2c read \(Self.accelerometer) 0x2D 1")
      let range = try await simulator.ask("i2c read \(Self.accelerometer) 0x31 1")
      return power == "08" && range == "08"
    }
  }
}
