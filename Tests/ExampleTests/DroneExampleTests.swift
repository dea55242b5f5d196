import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The examples for a drone, as they stand.
struct DroneExampleTests {
  init() { _ = LoopThread.started }

  /// A phone on board that tells where the drone is, as long as `body` takes.
  @Loop private static func withPhone(
    in house: ExampleHouse, _ body: @Loop () async throws -> Void
  ) async throws {
    let phone = Task { @Loop in
      for await location in house.drone.locations {
        try? await house.owner.publish(location, to: "sketch2mqtt/drone/location/set")
      }
    }
    let end = { @Loop in
      phone.cancel()
      await phone.value
    }
    try await closing(end) { try await body() }
  }

  @Test @Loop func `drone rises, flies and lands, and says what is refused`() async throws {
    try await ExampleHouse.with { house in
      let told = try await house.shell("drone drone at 52.5 13.4 90")
      #expect(told.status == 0 && told.errors == "", "\(told)")
      try await house.message("drone") { $0.contains(#""heading":90,"location":{"#) }
      let early = try await house.shell("drone drone fly 52.5 13.4")
      #expect(
        early.status == 1 && early.errors.hasPrefix("drone: ") && early.errors.contains("not in the air"))

      let up = try await house.shell("drone drone take_off")
      #expect(up.status == 0 && up.output == "" && up.errors == "", "\(up)")
      #expect(house.drone.body.stage == .flying)
      try await Self.withPhone(in: house) {
        let target = house.drone.place(north: 4, east: 3)
        let there = try await house.shell("drone drone fly \(target.latitude) \(target.longitude)")
        #expect(there.status == 0 && there.errors == "", "\(there)")
        #expect(house.drone.distance(north: 4, east: 3) < 3)
      }
      #expect(try await house.shell("drone drone land").status == 0)
      #expect(house.drone.body.stage == .landed)

      house.drone.body.battery = 15
      try await house.message("drone") { $0.contains(#""battery":15,"#) }
      let low = try await house.shell("drone drone take_off")
      #expect(low.status == 1 && low.errors.contains("the battery is at 15 %"), "\(low)")
      #expect(house.drone.body.stage == .landed)
      for line in [
        "drone", "drone drone", "drone drone loop", "drone drone fly 52.5", "drone drone land now",
      ] {
        #expect(try await house.shell(line).status == 64)
      }
    }
  }

  @Test @Loop func `a landing on the way ends the wait`() async throws {
    try await ExampleHouse.with { house in
      #expect(try await house.shell("drone drone take_off").status == 0)
      let flight = Task { @Loop in try await house.shell("drone drone fly 52.5007 13.4") }
      try await house.message("drone") { $0.contains(#""latitude":52.5007"#) }
      house.drone.body.battery = 5
      let end = try await flight.value
      #expect(end.status == 1 && end.errors.contains("it lands: the battery is low"), "\(end)")
    }
  }

  @Test @Loop func `what Home Assistant's script publishes is taken`() async throws {
    let file = Program.packageRoot.appending(path: "examples/home-assistant/packages/drone.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let topic = try #require(text.firstMatch(of: /topic: (\S+\/set)\n/)?.1)
    let payload = try #require(text.firstMatch(of: /payload: '(.+)'\n/)?.1)
    let filled = payload.replacing(#"{{ state_attr("zone.meadow", "latitude") }}"#, with: "52.5001")
      .replacing(#"{{ state_attr("zone.meadow", "longitude") }}"#, with: "13.4")
    try await ExampleHouse.with { house in
      #expect(try await house.shell("drone drone take_off").status == 0)
      try await house.owner.publish(String(filled), to: String(topic))
      try await house.message("drone") { $0.contains(#""target":{"latitude":52.5001,"longitude":13.4}"#) }
      #expect(house.refusals == [])
    }
  }
}
