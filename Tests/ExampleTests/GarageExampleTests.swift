import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The examples for a garage door, as they stand.
struct GarageExampleTests {
  init() { _ = LoopThread.started }

  @Test @Loop func `garage opens, and manages PINs without showing one`() async throws {
    try await ExampleHouse.with { house in
      let list = try await house.shell("garage garage list")
      #expect(list.status == 0 && list.output == "1\tAnna\n" && list.errors == "", "\(list)")
      let added = try await house.shell("echo 0x1F7 | garage garage add Carl")
      #expect(added.status == 0 && added.errors == "", "\(added)")
      #expect(house.garage.sketch.pins == ["48151", "0x1F7"])
      #expect(try await house.shell("garage garage list").output == "1\tAnna\n2\tCarl\n")
      #expect(try await house.shell("echo 77777 | garage garage change Carl").status == 0)
      #expect(house.garage.sketch.pins == ["48151", "77777"])
      let taken = try await house.shell("echo 48151 | garage garage add Dora")
      #expect(taken.status == 1 && taken.output == "" && taken.errors.contains("this PIN is taken"))
      #expect(try await house.shell("garage garage delete Carl").status == 0)
      #expect(house.garage.sketch.pins == ["48151"])
      for line in [
        "garage", "garage garage", "garage garage paint", "garage garage add", "garage garage list now",
      ] {
        #expect(try await house.shell(line).status == 64)
      }

      let before = house.owner.messages.count
      #expect(try await house.shell("garage garage open").status == 0)
      try await house.message("garage/event", from: before) { $0.contains("\"event_type\":\"opened\"") }
      #expect(try await house.shell("garage garage leave anna").status == 0)
      try await house.message("garage", from: before) { $0.contains("\"armed_anna\":\"ON\"") }
      #expect(try await house.shell("garage garage enter anna").status == 0)
      try await house.message("garage", from: before) { $0.contains("\"armed_anna\":\"OFF\"") }
      try await house.garage.wait { !$0.sketch.pulses.isEmpty }
      #expect(house.garage.sketch.pulses.count == 1, "the door is open")
    }
  }

  @Test @Loop func `what Home Assistant's automations publish is taken`() async throws {
    let file = Program.packageRoot.appending(path: "examples/home-assistant/packages/garage.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let topics = text.matches(of: /topic: (\S+\/set)\n/).map { String($0.1) }
    let payloads = text.matches(of: /payload: '(.+)'\n/).map { String($0.1) }
    try #require(topics.count == 2 && payloads.count == 2)
    try await ExampleHouse.with { house in
      for (topic, payload) in zip(topics, payloads) {
        let now = "\(Int(Date().timeIntervalSince1970))"
        let filled = payload.replacing("{{ as_timestamp(now()) | int }}", with: now)
        #expect(filled != payload)
        let before = house.owner.messages.count
        try await house.owner.publish(filled, to: topic)
        try await house.message("garage/event", from: before) { $0.contains("region_") }
        // The arrival is dated later than the leaving.
        try await Loop.sleep(for: .seconds(1))
      }
      try await house.message("garage/event") { $0.contains("\"event_type\":\"opened\"") }
      #expect(house.refusals == [])
    }
  }
}
