import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// The dead man's switch: each of those on whom a rover depends is killed while it drives, and the board tells what it
/// got.
struct `A rover stops` {
  private func expectStanding(
    _ house: House, _ track: Track, after seen: Int, because reason: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    await track.commands(from: seen) { $0.first == "T=0" }
    #expect(await track.rover.wheels.isStanding, sourceLocation: location)
    guard let reason else { return }
    try await house.message(on: "rover/event") {
      (try? JSON.parse($0.payload)) == ["event_type": "stopped", "reason": .text(reason)]
    }
    try await house.message(on: "rover") { $0.state("throttle") == 0 }
  }

  @Test func `when a phone that streamed its attitude is killed`() async throws {
    try await withTrack { house, track in
      let broker = house.broker.port
      let phone = try ChildProcess(
        "/bin/bash",
        [
          "-c",
          """
          exec mosquitto_pub -p \(broker) -l -t sketch2mqtt/rover/attitude/set \\
            < <(while echo '{"pitch":60,"roll":0}'; do sleep 0.2; done)
          """,
        ])
      await track.commands(from: 0) { $0.last == "T=63" }
      let moving = await track.count
      // It goes on for as long as the phone does, and nothing is repeated.
      try await house.message(on: "rover") { $0.state("throttle") == 63 }
      #expect(await track.commands(from: moving) == [])
      try await phone.kill9()
      try await expectStanding(house, track, after: moving, because: "attitude_ceased")
    }
  }

  @Test func `when no value and no word has come for the time that is set`() async throws {
    try await withTrack(options: "command_timeout: 1s") { house, track in
      try await house.drive(track)
      let seen = await track.count
      try await expectStanding(house, track, after: seen, because: "no_command")
    }
  }

  @Test(arguments: [false, true])
  func `when its driver's program is killed, whose will says offline`(isRetained: Bool) async throws {
    try await withTrack { house, track in
      let topic = "sketch2mqtt/rover/driver/set"
      let driver = try ChildProcess(
        "/usr/bin/mosquitto_sub",
        [
          "-p", "\(house.broker.port)", "-t", "sketch2mqtt/rover/availability", "-k", "5", "--will-topic",
          topic,
          "--will-payload", "offline", "--will-qos", "1",
        ] + (isRetained ? ["--will-retain"] : []))
      try await driver.output.first { $0 == "online" }
      try await house.publish("online", to: "rover/driver/set")
      try await house.drive(track)
      let seen = await track.count
      try await driver.kill9()
      try await expectStanding(house, track, after: seen, because: "driver_offline")
    }
  }

  @Test func `when the broker is killed`() async throws {
    try await withTrack { house, track in
      try await house.drive(track)
      let seen = await track.count
      try await house.broker.kill()
      try await expectStanding(house, track, after: seen)
    }
  }

  @Test func `when the bridge gets SIGTERM`() async throws {
    try await withTrack { house, track in
      try await house.drive(track)
      let seen = await track.count
      #expect(try await house.bridge.terminate() == .code(0))
      try await expectStanding(house, track, after: seen)
      #expect(await track.commands(from: seen) == ["T=0"])
    }
  }

  @Test func `when it is taken out of the configuration`() async throws {
    try await withTrack { house, track in
      try await house.drive(track)
      let seen = await track.count
      try house.configure { $0.devices = [] }
      try house.bridge.send(SIGHUP)
      try await expectStanding(house, track, after: seen)
    }
  }

  @Test func `first of all when its link is back`() async throws {
    try await withTrack { house, track in
      try await house.publish("0", to: "rover/throttle/set")
      try await house.publish("backward", to: "rover/direction/set")
      try await house.publish(#"{"throttle":70,"steering":20}"#, to: "rover/set")
      await track.commands(from: 0) { $0.last == "R=20" }
      let seen = await track.count
      let messages = house.recorder.messages.count
      await track.radio.drop()
      // The classic board drives on: nobody reaches it.
      #expect(await !track.rover.wheels.isStanding)
      try await expectStanding(house, track, after: seen)
      try await house.message(on: "rover/availability", from: messages) { $0.text == "online" }
      try await house.message(on: "rover", from: messages) { $0.state("throttle") == 0 }
      #expect(await track.commands(from: seen) == ["T=0"])
    }
  }

  @Test func `first of all when the bridge was killed and is back`() async throws {
    try await withTrack { house, track in
      try await house.drive(track)
      let seen = await track.count
      try await house.bridge.kill9()
      #expect(await !track.rover.wheels.isStanding)
      try house.start()
      try await expectStanding(house, track, after: seen)
    }
  }

  @Test func `before an obstacle, and is not set going by the bridge`() async throws {
    try await withTrack { house, track in
      try await house.drive(track)
      let seen = await track.count
      await { @Loop in track.rover.isBlocked = true }()
      // The same value again is no reason to tell the board anything.
      try await house.publish("40", to: "rover/throttle/set")
      try await house.publish("0", to: "rover/throttle/set")
      await track.commands(from: seen) { $0 == ["T=0"] }
    }
  }
}
