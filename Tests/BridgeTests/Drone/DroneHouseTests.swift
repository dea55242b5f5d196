import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a drone` {
  @Test(arguments: [(0.0, 6.0, 0.0), (200, 3, 4), (90, -5, -5), (359, 0, -12)])
  func `flies to the target from any heading, and lands there`(heading: Double, north: Double, east: Double)
    async throws
  {
    try await withFlyingField { house, field in
      await field.change { $0.body.heading = heading }
      try await house.startWithDrone()
      await field.tell(by: house.recorder)
      try await house.takeOff(field)
      let seen = house.recorder.messages.count
      try await house.head(field, north: north, east: east)
      try await house.drone(from: seen, is: "flying")
      _ = try await house.droneEvent("arrived", from: seen)
      #expect(await field.drone.distance(north: north, east: east) < 3)
      try await house.drone(from: seen) {
        $0.state("activity") == "hovering" && $0.number("distance").map { $0 < 3 } == true
      }
      try await house.press("land")
      try await house.drone(from: seen) { $0.state("activity") == "landed" && $0.isUnknown("target") }
      #expect(await field.drone.body.altitude == 0)
      #expect(await field.drone.distance(north: north, east: east) < 3)
    }
  }

  @Test func `goes against the wind, and tells distance, bearing, altitude and battery`() async throws {
    try await withFlyingField { house, field in
      await field.change {
        $0.body.battery = 80
        $0.blow(north: -0.5, east: 0.3)
      }
      try await house.startWithDrone()
      await field.tell(by: house.recorder)
      try await house.takeOff(field)
      let seen = house.recorder.messages.count
      try await house.head(field, north: 8, east: 0)
      try await house.drone(from: seen) {
        $0.number("distance").map { $0 > 5 && $0 < 10 } == true
          && $0.number("bearing").map { $0 < 45 || $0 > 315 } == true
          && $0.number("altitude").map { $0 > 0.5 } == true && $0.number("battery").map { $0 <= 80 } == true
      }
      _ = try await house.droneEvent("arrived", from: seen)
    }
  }

  @Test func `hovers without a position, and goes on with the next`() async throws {
    try await withFlyingField { house, field in
      let seen = try await house.flyNorth(15, field)
      await field.silence()
      #expect(
        try await house.droneEvent("position_lost", from: seen)["reason"]?.text?.contains("5 s") == true)
      await field.become { $0.firmware.obeyed.last == "PCMD 0,0,0,0,0" }
      let place = await field.drone.body
      let lost = house.recorder.messages.count
      await field.tell(by: house.recorder)
      _ = try await house.droneEvent("position_found", from: lost)
      _ = try await house.droneEvent("arrived", from: lost)
      #expect(await field.drone.body.north > place.north)
    }
  }

  @Test func `hovers when the broker is lost, and lands when it does not come back`() async throws {
    try await withFlyingField(options: "patience: 3s") { house, field in
      _ = try await house.flyNorth(90, field)
      await field.silence()
      try await house.broker.kill()
      await field.become { $0.firmware.obeyed.last == "PCMD 0,0,0,0,0" && $0.body.stage == .flying }
      let place = await field.drone.body
      await field.become { $0.body.stage == .landed }
      #expect(await field.drone.distance(north: place.north, east: place.east) < 2)
      try await house.broker.start()
      let client = try await MQTTRecorder(port: house.broker.port)
      try await client.message(on: "sketch2mqtt/drone", within: .patience) {
        $0.state("activity") == "landed" && $0.isUnknown("target")
      }
    }
  }

  @Test func `refuses to take off on a low battery, and lands on one`() async throws {
    try await withFlyingField { house, field in
      await field.change { $0.body.battery = 20 }
      try await house.startWithDrone()
      var seen = house.recorder.messages.count
      try await house.press("take_off")
      let failure = try await house.failure(from: seen)
      #expect(
        failure.property == "take_off" && failure.reason == "not_now" && failure.error.contains("battery"))
      await field.change { $0.body.battery = 90 }
      try await house.drone(from: seen) { $0.number("battery").map { $0 > 80 } == true }
      try await house.takeOff(field)
      seen = house.recorder.messages.count
      await field.change { $0.body.battery = 9 }
      #expect(try await house.droneEvent("landing", from: seen)["reason"] == "the battery is low")
      try await house.drone(from: seen, is: "landed")
    }
  }

  @Test func `flies though a third of the packets is lost`() async throws {
    try await withFlyingField { house, field in
      await field.change { $0.loss = 0.33 }
      try await house.startWithDrone()
      await field.tell(by: house.recorder)
      try await house.takeOff(field)
      let seen = house.recorder.messages.count
      try await house.head(field, north: 5, east: -3)
      _ = try await house.droneEvent("arrived", from: seen)
      try await house.press("land")
      try await house.drone(from: seen, is: "landed")
    }
  }

  @Test func `does nothing on a retained take-off, nor on a retained position`() async throws {
    try await withFlyingField { house, field in
      try await house.publish("PRESS", to: "drone/take_off/set", retain: true)
      try await house.publish(#"{"latitude":1,"longitude":2}"#, to: "drone/location/set", retain: true)
      try await house.startWithDrone()
      let seen = house.recorder.messages.count
      try await house.publish("PRESS", to: "drone/take_off/set", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")
      // Whatever was to come of it would be there before the answer to this.
      try await house.press("hover")
      try await house.message(on: "bridge/main/event", from: seen) { Failure($0)?.property == "hover" }
      #expect(await field.drone.body.stage == .landed)
      #expect(await !field.drone.firmware.obeyed.contains("REF 290718208"))
      #expect(
        house.recorder.messages.all.last { $0.topic == "sketch2mqtt/drone" }?.isUnknown("location") == true)
    }
  }

  @Test(arguments: [0.0, 0.5]) func `lands before the bridge stops`(loss: Double) async throws {
    try await withFlyingField { house, field in
      _ = try await house.flyNorth(90, field)
      await field.change { $0.loss = loss }
      #expect(try await house.bridge.terminate() == .code(0))
      await field.become { $0.body.stage == .landed }
    }
  }

  @Test func `finds it in the air after it was killed, and does not drop it`() async throws {
    try await withFlyingField { house, field in
      try await house.startWithDrone()
      try await house.takeOff(field)
      try await house.bridge.kill9()
      let seen = house.recorder.messages.count
      try house.start()
      try await house.drone(from: seen, is: "hovering")
      #expect(await field.drone.body.stage == .flying)
      try await house.press("land")
      try await house.drone(from: seen, is: "landed")
    }
  }

  @Test func `a drone that is switched off is away, and as before when it is back`() async throws {
    try await withFlyingField { house, field in
      try await house.startWithDrone()
      var seen = house.recorder.messages.count
      await field.change { $0.cutPower() }
      try await house.message(on: "drone/availability", from: seen) { $0.text == "offline" }
      try await house.drone(from: seen) { $0.isUnknown("activity") && $0.isUnknown("battery") }
      seen = house.recorder.messages.count
      await field.change { $0.returnPower() }
      try await house.message(on: "drone/availability", from: seen) { $0.text == "online" }
      try await house.takeOff(field)
    }
  }
}

extension RecordedMessage {
  func number(_ key: String) -> Double? { (try? json)?[key]?.asNumber }
  func isUnknown(_ key: String) -> Bool { (try? json)?[key] == .unknown }
}
