import Simulation
import Testing

struct `The classic rover's sketch` {
  private func sketch(_ commands: String...) -> RoverSketch {
    var sketch = RoverSketch()
    for command in commands { sketch.take(Array(command.utf8)) }
    return sketch
  }

  @Test func `drives and steers`() {
    #expect(sketch("F", "T=100").wheels == .init(.forward, left: 255, right: 255))
    #expect(sketch("B", "T=50", "R=50").wheels == .init(.backward, left: 127, right: 64))
    #expect(sketch("F", "T=50", "R=50", "L=100").wheels == .init(.forward, left: 0, right: 127))
    #expect(sketch("F", "T=50", "R=50", "L=0").wheels == .init(.forward, left: 127, right: 127))
    #expect(sketch("F", "T=50", "R=50", "T=0", "T=50").wheels == .init(.forward, left: 127, right: 127))
  }

  @Test func `a wheel races when the throttle falls below the steering`() {
    #expect(sketch("F", "T=100", "R=50", "T=20").wheels == .init(.forward, left: 51, right: 180))
    #expect(
      sketch("F", "T=100", "R=50", "L=0", "T=20", "R=50").wheels == .init(.forward, left: 51, right: 26))
  }

  @Test func `stands before an obstacle until anything is said`() {
    var rover = sketch("F", "T=100")
    rover.turn(isBlocked: true)
    #expect(rover.wheels.isStanding)
    #expect(rover.isLightOn)
    rover.take(Array("F".utf8))
    #expect(!rover.wheels.isStanding)
    rover.turn(isBlocked: true)
    rover.take(Array("T=0".utf8))
    rover.take(Array("F".utf8))
    #expect(rover.wheels.isStanding)
  }

  @Test func `says its tilt, and garbage for what its buffer does not hold`() {
    func text(_ across: Double, _ along: Double) -> String {
      String(decoding: RoverSketch.tilt(across: across, along: along), as: UTF8.self)
    }
    #expect(text(-0.31, 1.2) == "-0.31:1.20")
    #expect(text(0, -0.001) == "0.00:0.00")
    #expect(text(-9.99, 12.5) == "-9.99:12.50")
    #expect(RoverSketch.tilt(across: -10, along: 0).contains(0xC3))
  }

  @Test func `nonsense is counted`() {
    #expect(sketch("X", "T", "T=", "R=101").nonsense == 4)
    #expect(sketch("F", "B", "T=0", "R=100", "L=0").nonsense == 0)
  }
}
