import DeviceModel
import TestSupport
import Testing

@testable import Adapters

/// A phone that tells its attitude a hundred times a second, and attitudes that no phone has.
struct `A flood of attitudes` {
  @Test(arguments: [true, false])
  func `at 100 a second is a packet every 50 ms at most, ends with the newest, and stops at once`(
    isFast: Bool
  ) {
    var rover = RoverTalk()
    rover.takesAtOnce = isFast
    var pitch = 90.0
    for step in 0..<1000 {
      // From neutral to full and back, three times; the wheels steer meanwhile.
      pitch = 90 - abs(Double(step % 300) - 150) / 150 * 45
      rover.tilt(pitch, Double(step % 90) - 45, after: .milliseconds(10))
      if !isFast, step.isMultiple(of: 20) { rover.finish() }
      #expect(rover.outputs.rejections.isEmpty)
    }
    // 10 s.
    #expect(rover.board.count <= 200 + 10, "\(rover.board.count)")
    #expect(rover.board.count > 30)
    for _ in 0..<10 {
      rover.finish()
      rover.tilt(60, 25, after: .milliseconds(100))
    }
    #expect(rover.board.contains("T=63") && rover.board.last == "R=50")
    rover.forget()
    let stop = rover.set(("stop", .unknown), after: .zero)
    #expect(stop == [isFast ? "T=0" : "!T=0"])
    for _ in 0..<100 { rover.tilt(60, 25, after: .milliseconds(10)) }
    rover.finish()
    #expect(rover.board.filter { $0 != "T=0" && $0 != "!T=0" }.isEmpty, "it does not go on by itself")
  }

  @Test func `that ceases stops the rover two seconds after the last, not after the first`() {
    var rover = RoverTalk()
    for _ in 0..<600 { rover.tilt(60, 0, after: .milliseconds(10)) }
    rover.forget()
    rover.pass(.milliseconds(1999))
    #expect(rover.board == [])
    rover.pass(.milliseconds(1))
    #expect(rover.board == ["T=0"])
  }

  // MARK: quaternions

  /// Turns the phone so that `up`, in its own frame, points up, and then about that by `yaw`: by half-way vectors, as
  /// no other place does it.
  private static func quaternion(up: (Double, Double, Double), yaw: Double) -> [Double] {
    let length = (up.0 * up.0 + up.1 * up.1 + up.2 * up.2).squareRoot()
    let (x, y, z) = (up.0 / length, up.1 / length, up.2 / length)
    // To (0, 0, 1); upside down about any level axis.
    let half = z > -0.999_999 ? [1 + z, y, -x, 0] : [0, 1, 0, 0]
    let size = half.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let q = half.map { $0 / size }
    // yaw is a rational rotation: cos = (1 - t²)/(1 + t²), its half 1 and t.
    let turn = (1 + yaw * yaw).squareRoot()
    let (c, s) = (1 / turn, yaw / turn)
    return [c * q[0] - s * q[3], c * q[1] - s * q[2], c * q[2] + s * q[1], c * q[3] + s * q[0]]
  }

  private static func members(_ q: [Double]) -> Value.Members {
    ["w": .number(q[0]), "x": .number(q[1]), "y": .number(q[2]), "z": .number(q[3])]
  }

  private static func command(_ q: [Double]) throws -> (throttle: Int, steering: Int) {
    try PhoneAttitude(members(q)).command(RoverSettings(), neutral: .upright)
  }

  /// Gravity in the phone's frame, with sides of right triangles of whole numbers.
  @Test(arguments: [
    // Upright, its face to the holder, and leaned back.
    ((0.0, 1.0, 0.0), 0, 0), ((0, 1, -1), 0, 0),
    // The top leaned away by 45°, and by atan(3/4) = 36.87°: (36.87 − 5)/40 = 79.7 %.
    ((0, 1, 1), 100, 0), ((0, 4, 3), 80, 0),
    // As far, and its right side down by asin(5/13) = 22.62°: 44 %.
    ((-5, 9.6, 7.2), 80, 44), ((5, 9.6, 7.2), 80, -44),
    // Flat on a table, on its face, and on its side: laid down.
    ((0, 0, 1), 0, 0), ((0, 0, -1), 0, 0), ((-1, 0, 0), 0, 0), ((1, 0, 0), 0, 0),
    // Upside down.
    ((0, -1, 0), 0, 0), ((0, -1, 0.3), 0, 0),
  ])
  func `drive by gravity alone, whatever their sign and wherever the phone points to`(
    up: (Double, Double, Double), throttle: Int, steering: Int
  ) throws {
    for yaw in [0.0, 0.3, 1, -5, 1000] {
      let q = Self.quaternion(up: up, yaw: yaw)
      for sign in [1.0, -1] {
        let command = try Self.command(q.map { $0 * sign })
        #expect(command == (throttle, steering), "yaw \(yaw), sign \(sign)")
      }
    }
  }

  @Test func `of any phone are within limits, alike for q and −q, and nothing where roll is all there is`()
    throws
  {
    var random = SeededRandom(20261130)
    for _ in 0..<3000 {
      let up = (
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random),
        Double.random(in: -1...1, using: &random)
      )
      let q = Self.quaternion(up: up, yaw: Double.random(in: -9...9, using: &random))
      let command = try Self.command(q)
      let mirrored = try Self.command(q.map { -$0 })
      #expect(command == mirrored)
      #expect((0...100).contains(command.throttle) && (-100...100).contains(command.steering))
      // Leaned back, or its top down: never on.
      if up.2 < 0 || up.1 < 0 { #expect(command.throttle == 0) }
    }
    // Around the singular place, where pitch is anything: nothing drives.
    for _ in 0..<1000 {
      let noise = { Double.random(in: -0.02...0.02, using: &random) }
      let q = Self.quaternion(up: (Bool.random(using: &random) ? 1 : -1, noise(), noise()), yaw: noise())
      #expect(try Self.command(q) == (0, 0))
    }
  }

  @Test(
    arguments: [
      ["w": 0, "x": 0, "y": 0, "z": 0], ["w": 2, "x": 0, "y": 0, "z": 0],
      ["w": 0.5, "x": 0.5, "y": 0.5, "z": 0],
      ["w": .number(.nan), "x": 0, "y": 0, "z": 0], ["w": .number(.infinity), "x": 0, "y": 0, "z": 0],
      ["w": 1e308, "x": 1e308, "y": 0, "z": 0], ["w": "1", "x": 0, "y": 0, "z": 0], ["w": 1, "x": 0, "y": 0],
      ["pitch": .number(.nan), "roll": 0], ["pitch": .number(.infinity), "roll": 0],
      ["pitch": 181, "roll": 0],
      ["pitch": 60], ["roll": 0], [:], ["pitch": .unknown, "roll": 0],
    ] as [Value.Members])
  func `that no phone has move nothing, and are refused`(members: Value.Members) {
    var rover = RoverTalk()
    #expect(rover.set(("attitude", .object(members))) == [])
    #expect(rover.outputs.rejections.count == 1)
    #expect(rover.state["throttle"] == 0)
    // Nor do they keep one going.
    rover.tilt(60)
    rover.pass(.seconds(1))
    rover.set(("attitude", .object(members)), after: .milliseconds(500))
    rover.forget()
    rover.pass(.milliseconds(500))
    #expect(rover.board == ["T=0"])
  }
}
