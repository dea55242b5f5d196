import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

struct `The bridge with a rover` {
  @Test func `drives it by values, words and a phone, and tells its tilt`() async throws {
    try await withTrack { house, track in
      #expect(await track.commands() == ["T=0"])
      try await house.message(on: "rover") {
        $0.state("throttle") == 0 && $0.state("tilt_x") == 0 && $0.state("tipping") == "OFF"
      }
      var seen = await track.count
      try await house.publish(#"{"direction":"backward","throttle":40,"steering":-30}"#, to: "rover/set")
      await track.commands(from: seen) { $0 == ["B", "T=40", "L=30"] }
      let state = try await house.message(on: "rover") { $0.state("throttle") == 40 }
      #expect(state.state("direction") == "backward" && state.state("steering") == -30)

      seen = await track.count
      try await house.publish(" fast forward", to: "rover/voice/set")
      await track.commands(from: seen) { $0 == ["T=0", "F", "T=80"] }

      seen = await track.count
      try await house.publish(#"{"w":0.8434,"x":0.5373,"y":0,"z":0}"#, to: "rover/attitude/set")
      await track.commands(from: seen) { $0.last == "T=50" }

      seen = await track.count
      try await house.publish("PRESS", to: "rover/stop/set")
      await track.commands(from: seen) { $0 == ["T=0"] }
      #expect(await track.rover.wheels.isStanding)
      #expect(await track.rover.sketch.nonsense == 0)

      await { @Loop in track.rover.tiltAlong = 4.905 }()
      try await house.message(on: "rover") { $0.state("pitch") == 30 && $0.state("tipping") == "ON" }
    }
  }

  @Test func `of many fast values the newest wins, and no wheel ever races`() async throws {
    try await withTrack { house, track in
      for step in 0..<200 {
        try await house.publish(
          #"{"throttle":\#(1 + step * 7 % 99),"steering":\#(step * 13 % 201 - 100)}"#, to: "rover/set")
      }
      try await house.publish(#"{"throttle":20,"steering":50}"#, to: "rover/set")
      await track.commands(from: 0) { $0.suffix(2) == ["T=20", "R=50"] }
      #expect(await track.rover.wheels == .init(.forward, left: 51, right: 26))
      // Each change is four packets at most.
      #expect(await track.count < 4 * 200)
      let seen = await track.count
      try await house.publish("0", to: "rover/throttle/set")
      await track.commands(from: seen) { $0 == ["T=0"] }
    }
  }

  @Test func `a retained command moves nothing, but a retained stop stops`() async throws {
    try await withTrack { house, track in
      try await house.publish("40", to: "rover/throttle/set", retain: true)
      #expect(try await house.failure().reason == "retained")
      #expect(await track.commands() == ["T=0"])
      try await house.drive(track)
      let seen = await track.count
      try await house.publish("offline", to: "rover/driver/set", retain: true)
      await track.commands(from: seen) { $0 == ["T=0"] }
    }
  }

  @Test func `speed profile, neutral position and stop on tipping outlast a restart`() async throws {
    try await withTrack { house, track in
      try await house.publish(#"{"speed_profile":"slow","stop_on_tipping":"ON"}"#, to: "rover/set")
      try await house.message(on: "rover") {
        $0.state("speed_profile") == "slow" && $0.state("stop_on_tipping") == "ON"
      }
      #expect(try await house.bridge.terminate() == .code(0))
      let messages = house.recorder.messages.count
      try house.start()
      try await house.message(on: "rover", from: messages) {
        $0.state("speed_profile") == "slow" && $0.state("stop_on_tipping") == "ON"
      }
      try await house.message(on: "rover/availability", from: messages) { $0.text == "online" }
      let seen = await track.count
      try await house.publish("60", to: "rover/throttle/set")
      await track.commands(from: seen) { $0.last == "T=30" }
    }
  }
}
