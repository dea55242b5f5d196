import DeviceModel
import Testing

@testable import Adapters

struct `Commands that come faster than a rover's link takes them` {
  @Test func `only the newest throttle and steering count`() {
    var rover = RoverTalk()
    rover.takesAtOnce = false
    #expect(rover.set(("throttle", 10)) == ["F", "T=10"])
    for throttle in 11...60 { #expect(rover.set(("throttle", .integer(throttle)), after: .zero) == []) }
    rover.set(("steering", 20), after: .zero)
    rover.set(("steering", 30), after: .zero)
    rover.forget()
    rover.pass(.milliseconds(100))
    #expect(rover.board == [])
    rover.finish()
    #expect(rover.board == ["T=60", "R=30"])
    #expect(rover.state["throttle"] == 60)
    #expect(rover.outputs.rejections.isEmpty)
  }

  @Test func `a link that takes everything at once gets a packet every 50 ms at most`() {
    var rover = RoverTalk()
    rover.set(("throttle", 1))
    rover.forget()
    for throttle in 2...100 { rover.set(("throttle", .integer(throttle)), after: .milliseconds(1)) }
    rover.pass(.seconds(1))
    #expect(rover.board.count <= 3)
    #expect(rover.board.last == "T=100")
    // Three packets for each lower throttle while it steers.
    rover.set(("steering", 50))
    rover.forget()
    for throttle in stride(from: 100, to: 10, by: -1) {
      rover.set(("throttle", .integer(throttle)), after: .milliseconds(10))
    }
    #expect((10...22).contains(rover.board.count))
    #expect(rover.set(("stop", .unknown), after: .zero) == ["T=0"])
  }

  @Test func `a stop does not wait, and what it overtook is not done later`() {
    var rover = RoverTalk()
    rover.takesAtOnce = false
    rover.set(("throttle", 50), ("steering", 40))
    rover.set(("throttle", 90), after: .zero)
    let overtaken = rover.waiting
    #expect(rover.set(("stop", .unknown), after: .zero) == ["!T=0"])
    rover.forget()
    for number in overtaken { rover.fail(number) }
    rover.finish()
    rover.pass(.seconds(5))
    #expect(rover.board == [])
    #expect(rover.state["throttle"] == 0)
    // The direction may have been among what was overtaken.
    rover.takesAtOnce = true
    #expect(rover.set(("throttle", 20)) == ["F", "T=20"])
  }

  @Test func `a stop that the link does not take is told until it does`() {
    var rover = RoverTalk()
    rover.set(("throttle", 50))
    rover.takesAtOnce = false
    rover.set(("stop", .unknown))
    for _ in 0..<3 {
      rover.forget()
      for number in rover.waiting { rover.fail(number) }
      rover.pass(.milliseconds(100))
      #expect(rover.board == ["!T=0"])
    }
    rover.finish()
    rover.forget()
    rover.pass(.seconds(10))
    #expect(rover.board == [])
  }

  @Test func `a command that had to wait is told when it fails, of each property the newest`() {
    var rover = RoverTalk()
    rover.takesAtOnce = false
    rover.set(("throttle", 50))
    rover.set(("throttle", 60), after: .zero)
    rover.set(("throttle", 70), after: .zero)
    rover.set(("steering", 10), after: .zero)
    rover.pass(.milliseconds(100))
    rover.finish()
    let numbers = rover.waiting
    #expect(!numbers.isEmpty)
    rover.forget()
    for number in numbers { rover.fail(number) }
    #expect(rover.outputs.rejections.map(\.number) == [3, 4], "of the throttles the last alone")
    #expect(rover.outputs.rejections.map(\.property) == ["throttle", "steering"])
    #expect(rover.outputs.reasons == [.linkError, .linkError])
    // What waits behind what fails is not sent either.
    rover.takesAtOnce = true
    rover.set(("throttle", 20))
    rover.takesAtOnce = false
    rover.set(("throttle", 30))
    rover.set(("steering", -5), after: .zero)
    let first = rover.waiting.first
    rover.forget()
    rover.fail(first ?? 0)
    #expect(rover.outputs.rejections.map(\.property) == ["throttle", "steering"])
    #expect(rover.board == ["!T=0"])
  }

  @Test func `a link that ends fails what waits as well as what is on its way`() {
    var rover = RoverTalk()
    rover.takesAtOnce = false
    rover.set(("throttle", 50))
    rover.set(("steering", 10), after: .zero)
    rover.forget()
    rover.disconnect()
    #expect(rover.outputs.rejections.map(\.property) == ["throttle", "steering"])
  }

  @Test func `a command that the link does not take fails, and stops the rover`() {
    var rover = RoverTalk()
    rover.takesAtOnce = false
    rover.set(("throttle", 50))
    let numbers = rover.waiting
    rover.forget()
    for number in numbers { rover.fail(number) }
    #expect(rover.outputs.reasons == [.linkError])
    #expect(rover.board == ["!T=0"])
    #expect(rover.state["throttle"] == 0)
  }
}

extension Value {
  /// As a command's number comes.
  var asNumber: Value { if case .integer(let integer) = self { .number(Double(integer)) } else { self } }
}
