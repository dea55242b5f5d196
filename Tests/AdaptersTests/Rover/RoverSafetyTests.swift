import DeviceModel
import Testing

@testable import Adapters

/// The dead man's switch.
struct `A rover without its driver` {
  private static func driving() -> RoverTalk {
    var rover = RoverTalk()
    rover.set(("throttle", 50), ("steering", 30))
    rover.forget()
    return rover
  }

  @Test func `stops two seconds after the last attitude`() {
    var rover = RoverTalk()
    rover.tilt(60)
    for _ in 0..<20 { rover.tilt(60) }
    rover.forget()
    rover.pass(.milliseconds(1999))
    #expect(rover.board == [])
    rover.pass(.milliseconds(1))
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == ["attitude_ceased"])
    #expect(rover.state["throttle"] == 0)
    rover.forget()
    rover.live(100)
    #expect(rover.board == [])
  }

  @Test func `stops a minute after the last value or word`() {
    var rover = Self.driving()
    rover.live(58)
    rover.set(("steering", 10))
    rover.live(58)
    rover.set(("throttle", 50))
    rover.forget()
    rover.live(59)
    rover.pass(.milliseconds(999))
    #expect(rover.board == [])
    rover.pass(.milliseconds(1))
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == ["no_command"])
    rover.say("FORWARD")
    rover.forget()
    rover.live(60)
    #expect(rover.board == ["T=0"])
  }

  @Test func `the times are the owner's`() {
    var settings = RoverSettings()
    settings.attitudeTimeout = .milliseconds(500)
    settings.commandTimeout = .seconds(3600)
    var rover = RoverTalk(settings)
    rover.set(("throttle", 50))
    rover.forget()
    rover.live(3599)
    #expect(rover.board == [])
    rover.live(1)
    #expect(rover.board == ["T=0"])
    rover.tilt(60)
    rover.forget()
    rover.pass(.milliseconds(500))
    #expect(rover.board == ["T=0"])
  }

  @Test func `what is no driving does not keep it going`() {
    var rover = Self.driving()
    rover.live(30)
    rover.set(("speed_profile", "normal"))
    rover.set(("stop_on_tipping", true))
    rover.set(("driver", "online"))
    rover.set(("voice", "nonsense"))
    rover.forget()
    rover.live(26)
    #expect(rover.board == ["T=0"])
  }

  @Test(arguments: [
    (Input.broker(isConnected: false), "broker_lost"), (Input.stopping, "bridge_stops"),
  ])
  func `stops when the broker or the bridge goes`(input: Input, reason: String) {
    var rover = Self.driving()
    rover.feed(.broker(isConnected: true))
    #expect(rover.board == [])
    rover.feed(input)
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == [.text(reason)])
    rover.forget()
    rover.feed(input)
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == [])
  }

  @Test func `stops when the driver's program says offline, and no sooner`() {
    var rover = Self.driving()
    #expect(rover.set(("driver", "online")) == [])
    #expect(rover.state["throttle"] == 50)
    #expect(rover.set(("driver", "OFFLINE")) == ["T=0"])
    #expect(rover.stopReasons == ["driver_offline"])
    #expect(rover.set(("driver", "away")) == [])
    #expect(rover.outputs.reasons == [.invalid])
  }

  @Test func `a stop word of a retained message is obeyed, nothing else of one`() {
    let description = Rover().description
    let words = description.properties.filter { !$0.obeyedWhenRetained.isEmpty }
    #expect(
      words.map { "\($0.key) \($0.obeyedWhenRetained[0])" }
        == ["throttle 0", "stop PRESS", "voice STOP", "driver offline"])
  }

  @Test func `a dropped link ends it all, and nothing starts by itself after it`() {
    var rover = Self.driving()
    rover.disconnect()
    #expect(rover.state["throttle"] == .unknown)
    rover.pass(.seconds(5))
    rover.connect()
    rover.pass(.seconds(5))
    rover.receive("0.00:0.00")
    #expect(rover.board == ["T=0"])
  }

  @Test func `the direction that was chosen outlasts a link`() {
    var rover = RoverTalk()
    rover.set(("direction", "backward"))
    rover.disconnect()
    rover.connect()
    rover.receive("0.00:0.00")
    #expect(rover.state["direction"] == "backward")
    #expect(rover.set(("throttle", 10)) == ["B", "T=10"])
  }

  @Test func `a board that falls silent is stopped before its link is given up`() {
    var rover = Self.driving()
    rover.pass(.seconds(30))
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == ["board_silent"])
    #expect(rover.outputs.hasFailed)
  }

  @Test func `tipping stops it when that is wished`() {
    var rover = Self.driving()
    rover.receive("0.10:1.60")
    #expect(rover.state["tipping"] == true)
    #expect(rover.board == [])
    rover.receive("0.10:1.20")
    #expect(rover.state["tipping"] == false)
    rover.set(("stop_on_tipping", true))
    rover.forget()
    rover.receive("-1.51:0.00")
    #expect(rover.board == ["T=0"])
    #expect(rover.stopReasons == ["tipping"])
    rover.set(("stop_on_tipping", false))
    rover.set(("throttle", 20))
    #expect(rover.set(("stop_on_tipping", true)) == ["T=0"], "it is tipping already")
    #expect(rover.stopReasons == ["tipping"])
    // Out of it by hand.
    rover.receive("-1.52:0.00")
    #expect(rover.set(("throttle", 20)) == ["F", "T=20"])
  }
}
