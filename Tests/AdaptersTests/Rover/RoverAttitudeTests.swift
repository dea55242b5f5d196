import DeviceModel
import Testing

@testable import Adapters

struct `A rover driven by a phone` {
  @Test(arguments: [
    (90.0, 0.0, 0, 0), (86, 4, 0, 0), (45, 0, 100, 0), (65, 0, 50, 0), (65, 45, 50, 100), (65, -25, 50, -50),
    (20, 0, 100, 0), (120, 0, 0, 0), (180, 0, 0, 0), (0, 0, 0, 0), (14, 0, 0, 0),
  ])
  func `leaning it away drives, rolling it steers, leaning it back or laying it down does nothing`(
    pitch: Double, roll: Double, throttle: Int, steering: Int
  ) {
    let command = PhoneAttitude(pitch: pitch, roll: roll).command(RoverSettings(), neutral: .upright)
    #expect(command == (throttle, steering))
  }

  /// Rotations in their order about the fixed axes x and y, then z, of a frame whose z points up.
  private static func quaternion(pitch: Double, lean: Double, yaw: Double) -> Value.Members {
    func product(_ a: [Double], _ b: [Double]) -> [Double] {
      [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
      ]
    }
    func about(_ axis: Int, _ degrees: Double) -> [Double] {
      var q = [cosine(degrees / 2), 0, 0, 0]
      q[axis] = sine(degrees / 2)
      return q
    }
    // In the phone's own frame a turn in the plane of its screen, to the right, is one about −z.
    let q = product(product(about(3, yaw), about(1, pitch)), about(3, -lean))
    return ["w": .number(q[0]), "x": .number(q[1]), "y": .number(q[2]), "z": .number(q[3])]
  }

  private static func cosine(_ degrees: Double) -> Double { sine(degrees + 90) }
  /// By its series: the test shall not share a library's convention with the code.
  private static func sine(_ degrees: Double) -> Double {
    var x = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
    if x > .pi { x -= 2 * .pi }
    if x < -.pi { x += 2 * .pi }
    var term = x
    var sum = x
    for n in 1..<15 {
      term *= -x * x / Double((2 * n) * (2 * n + 1))
      sum += term
    }
    return sum
  }

  @Test(arguments: [0.0, 37, 180, -120])
  func `a quaternion says the same wherever the phone points to`(yaw: Double) throws {
    for pitch in [10.0, 45, 60, 90, 100] {
      let attitude = try PhoneAttitude(Self.quaternion(pitch: pitch, lean: 0, yaw: yaw))
      #expect(abs(attitude.pitch - pitch) < 0.001)
      #expect(abs(attitude.roll) < 0.001)
    }
    for lean in [-40.0, 0, 25] {
      let attitude = try PhoneAttitude(Self.quaternion(pitch: 90, lean: lean, yaw: yaw))
      #expect(abs(attitude.roll - lean) < 0.001)
      #expect(abs(attitude.pitch - 90) < 0.001)
    }
  }

  @Test func `a stream drives, is not repeated, and stops when the phone is held neutral`() {
    var rover = RoverTalk()
    #expect(rover.tilt(90) == [])
    #expect(rover.tilt(65) == ["F", "T=50"])
    #expect(rover.tilt(65) == [])
    #expect(rover.tilt(65, 25) == ["R=50"])
    #expect(rover.tilt(73, 25) == ["L=0", "T=30", "R=50"])
    #expect(rover.tilt(88) == ["T=0"])
    #expect(rover.tilt(88, 30) == [])
    #expect(rover.tilt(130) == [])
    #expect(rover.state["throttle"] == 0)
    #expect(rover.tilt(45) == ["F", "T=100"])
    #expect(rover.outputs.rejections.isEmpty)
  }

  @Test func `a stop is not undone by the next attitude`() {
    var rover = RoverTalk()
    rover.tilt(65)
    #expect(rover.set(("stop", .unknown)) == ["T=0"])
    #expect(rover.tilt(65) == [])
    #expect(rover.outputs.reasons == [.notNow])
    #expect(rover.tilt(60) == [])
    #expect(rover.outputs.reasons == [])
    #expect(rover.tilt(90) == [])
    #expect(rover.tilt(65) == ["F", "T=50"])
  }

  @Test func `a command of another kind takes over, and so does a phone that is tilted anew`() {
    var rover = RoverTalk()
    rover.tilt(65)
    #expect(rover.set(("throttle", 20), after: .zero) == [])
    rover.pass(.milliseconds(100))
    #expect(rover.board.last == "T=20")
    #expect(rover.tilt(65) == [])
    #expect(rover.tilt(90) == [])
    #expect(rover.tilt(90) == [])
    #expect(rover.state["throttle"] == 20)
    #expect(rover.tilt(50) == ["T=88"])
    rover.say("SLOW FORWARD")
    #expect(rover.tilt(60, after: .seconds(2)) == ["T=63"])
  }

  @Test(arguments: [("steering", 20), ("voice", "LEFT"), ("direction", "forward")] as [(PropertyKey, Value)])
  func `what takes over without a throttle of its own stops first`(property: PropertyKey, value: Value) {
    var rover = RoverTalk()
    rover.tilt(65)
    #expect(rover.set((property, value)).first == "T=0")
    #expect(rover.state["throttle"] == 0)
    rover.forget()
    rover.pass(.seconds(2))
    #expect(rover.stopReasons == [])
    #expect(rover.set(("throttle", 20), ("steering", 30)) == ["F", "T=20", "R=30"])
    // Driven by values, steering alone goes on.
    #expect(rover.set(("steering", 10)) == ["R=10"])
    #expect(rover.state["throttle"] == 20)
  }

  @Test func `the position now can be made neutral, and is kept`() {
    var rover = RoverTalk()
    #expect(rover.set(("attitude", "neutral")) == [])
    #expect(rover.outputs.reasons == [.notNow])
    #expect(rover.tilt(65) == ["F", "T=50"])
    rover.set(("attitude", "neutral"), after: .zero)
    #expect(rover.tilt(65) == ["T=0"])
    #expect(rover.tilt(40) == ["F", "T=50"])
    #expect(rover.set(("attitude", ["pitch": 30, "roll": 10, "neutral": true])) == ["T=0"])
    let kept: Value = [
      "stop_on_tipping": false, "speed_profile": "normal", "neutral": ["pitch": 30.0, "roll": 10.0],
    ]
    #expect(rover.outputs.contains(.remember(kept)))

    var later = RoverTalk(isUp: false)
    later.feed(.remembered(kept))
    later.connect()
    later.receive("0.00:0.00")
    later.forget()
    #expect(later.tilt(30, 10) == [])
    #expect(later.tilt(5, 10) == ["F", "T=50"])
    later.set(("attitude", "upright"))
    #expect(later.tilt(90) == ["T=0"])
  }

  @Test(
    arguments: [
      [:], ["w": 1], ["w": 0, "x": 0, "y": 0, "z": 0], ["w": 2, "x": 0, "y": 0, "z": 0], ["pitch": 1],
      ["pitch": "1", "roll": 2], ["pitch": 1, "roll": 2, "neutral": 1], ["w": 1, "x": 0, "y": 0, "z": "0"],
    ] as [Value])
  func `an attitude that is none is refused`(value: Value) {
    var rover = RoverTalk()
    #expect(rover.set(("attitude", value)) == [])
    #expect(rover.outputs.reasons == [.invalid])
  }

  @Test func `an angle beyond a half turn is out of range`() {
    var rover = RoverTalk()
    #expect(rover.tilt(181) == [])
    #expect(rover.outputs.reasons == [.outOfRange])
  }

  @Test func `nonsense that was remembered is as if nothing was`() {
    for value: Value in [.unknown, "x", ["speed_profile": "warp", "neutral": ["pitch": 1000, "roll": 0]]] {
      var rover = RoverTalk(isUp: false)
      rover.feed(.remembered(value))
      #expect(rover.state["speed_profile"] == "normal")
      #expect(rover.state["stop_on_tipping"] == false)
    }
  }
}
