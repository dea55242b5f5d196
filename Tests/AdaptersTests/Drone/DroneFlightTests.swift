import DeviceModel
import Simulation
import Testing

@testable import Adapters

struct `Flights of the drone` {
  private static func airborne(
    _ settings: DroneSettings = DroneSettings(), seed: UInt64 = 1, heading: Double = 0
  ) throws -> DroneFlight {
    var flight = DroneFlight(settings, seed: seed)
    flight.drone.body.heading = heading
    try #require(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.command("take_off") == [])
    try #require(flight.pass(10) { $0.activity == "hovering" })
    return flight
  }

  @Test(arguments: [0.0, 45, 90, 179, 181, 270, 359], [(30.0, 0.0), (0, 20), (-25, -25), (3, -40)])
  func `from any heading it comes to the target, stays, and lands`(heading: Double, target: (Double, Double))
    throws
  {
    var flight = try Self.airborne(heading: heading)
    #expect(flight.head(north: target.0, east: target.1) == [])
    #expect(flight.pass(3) { $0.activity == "flying" })
    #expect(flight.pass(120) { $0.events.contains("arrived") })
    flight.pass(5)
    #expect(flight.activity == "hovering" && flight.distance(north: target.0, east: target.1) < 3)
    #expect(flight.events.filter { $0 == "arrived" }.count == 1)
    #expect(flight.command("land") == [])
    #expect(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.drone.body.altitude == 0 && flight.talk.state["target"] == .unknown)
  }

  @Test(arguments: [(0.6, 0.0), (0, -0.6), (-0.4, 0.4)])
  func `wind does not keep it from the target`(wind: (Double, Double)) throws {
    var flight = try Self.airborne()
    (flight.drone.body.windNorth, flight.drone.body.windEast) = wind
    _ = flight.head(north: 25, east: 10)
    #expect(flight.pass(180) { $0.events.contains("arrived") })
  }

  @Test(arguments: 1...5)
  func `a third of the packets may be lost`(seed: UInt64) throws {
    var flight = DroneFlight(seed: seed)
    flight.loss = 0.33
    try #require(flight.pass(10) { $0.activity == "landed" })
    _ = flight.command("take_off")
    try #require(flight.pass(15) { $0.activity == "hovering" })
    _ = flight.head(north: 20, east: 0)
    #expect(flight.pass(180) { $0.events.contains("arrived") })
    _ = flight.command("land")
    #expect(flight.pass(10) { $0.activity == "landed" })
  }

  @Test func `packets may overtake each other, and what is old is not believed`() throws {
    var flight = DroneFlight()
    flight.overtakes = true
    try #require(flight.pass(10) { $0.activity == "landed" })
    _ = flight.command("take_off")
    try #require(flight.pass(15) { $0.activity == "hovering" })
    _ = flight.head(north: 20, east: -10)
    #expect(flight.pass(120) { $0.events.contains("arrived") })
    _ = flight.command("land")
    #expect(flight.pass(10) { $0.activity == "landed" })
    // Each state was told once: none that had been overtaken was gone back to.
    let activities = flight.talk.changes.filter { $0.key == "activity" }.compactMap(\.value.asText)
    #expect(activities == ["landed", "taking_off", "hovering", "flying", "hovering", "landing", "landed"])
  }

  @Test func `without a position it hovers, says so once, and goes on with the next`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 60, east: 0)
    flight.pass(5)
    flight.tellsPosition = false
    #expect(flight.pass(7) { $0.events.contains("position_lost") })
    flight.pass(2)
    let place = flight.drone.body
    flight.pass(10)
    #expect(flight.activity == "hovering" && flight.distance(north: place.north, east: place.east) < 1)
    #expect(flight.events.filter { $0 == "position_lost" }.count == 1)
    flight.tellsPosition = true
    #expect(flight.pass(120) { $0.events.contains("arrived") })
    #expect(flight.events.contains("position_found"))
  }

  @Test func `a position that is too vague is none`() throws {
    var flight = try Self.airborne()
    flight.accuracy = 40
    _ = flight.head(north: 60, east: 0)
    #expect(flight.pass(5) { $0.events.contains("position_lost") })
    #expect(flight.activity == "hovering")
  }

  @Test func `without a broker it hovers at once, and lands when nobody comes back`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(5)
    flight.feed(.broker(isConnected: false))
    flight.pass(2)
    let place = flight.drone.body
    #expect(!flight.pass(25) { $0.drone.body.stage != .flying })
    #expect(flight.distance(north: place.north, east: place.east) < 1)
    #expect(flight.pass(10) { $0.activity == "landed" })
    #expect(flight.events.contains("landing"))
  }

  @Test func `when the broker comes back in time it goes on`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 40, east: 0)
    flight.pass(5)
    flight.feed(.broker(isConnected: false))
    flight.pass(20)
    flight.feed(.broker(isConnected: true))
    #expect(flight.pass(60) { $0.events.contains("arrived") })
  }

  @Test func `a low battery keeps it on the ground, and brings it down`() throws {
    var flight = DroneFlight()
    flight.drone.body.battery = 20
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.pass(1)
    #expect(flight.command("take_off") == [.notNow])
    flight.pass(3)
    #expect(flight.drone.body.stage == .landed)

    flight = try Self.airborne()
    flight.drone.body.battery = 9
    #expect(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.events.contains("battery_low") && flight.events.contains("landing"))
    #expect(flight.command("take_off") == [.notNow])
  }

  @Test func `without telemetry it hovers, and is told to land`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(5)
    flight.telemetryIsLost = true
    flight.pass(3)
    let place = flight.drone.body
    flight.pass(20)
    #expect(flight.distance(north: place.north, east: place.east) < 1 && flight.drone.body.stage == .flying)
    #expect(flight.events.contains("telemetry_lost"))
    #expect(flight.pass(20) { $0.drone.body.stage == .landed })
    flight.telemetryIsLost = false
    #expect(flight.pass(5) { $0.activity == "landed" })
  }

  @Test func `the bridge's end lands it`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(5)
    flight.loss = 0.5
    flight.feed(.stopping)
    flight.feed(.linkDown(.board, "the bridge leaves"))
    #expect(flight.pass(5) { $0.drone.body.stage == .landed })
  }

  @Test func `a bridge that comes while it is in the air lets it hover, and lands it when nobody steers`()
    throws
  {
    var flight = DroneFlight()
    flight.drone.body.takeOff()
    #expect(flight.pass(5) { $0.activity == "hovering" })
    #expect(!flight.pass(25) { $0.drone.body.stage != .flying })
    #expect(flight.pass(10) { $0.activity == "landed" })

    flight = DroneFlight()
    flight.drone.body.takeOff()
    _ = flight.pass(5) { $0.activity == "hovering" }
    #expect(flight.head(north: 10, east: 0) == [])
    #expect(flight.pass(60) { $0.events.contains("arrived") })
    #expect(!flight.pass(40) { $0.drone.body.stage != .flying })
  }

  @Test func `emergency cuts the motors, and reset ends it`() throws {
    var flight = try Self.airborne()
    #expect(flight.command("reset") == [.notNow])
    #expect(flight.command("emergency") == [])
    #expect(flight.pass(2) { $0.activity == "emergency" })
    #expect(flight.events.contains("emergency") && flight.drone.isInEmergency)
    flight.pass(3)
    #expect(flight.drone.body.altitude == 0)
    #expect(flight.command("take_off") == [.notNow] && flight.command("emergency") == [.notNow])
    #expect(flight.command("reset") == [])
    #expect(flight.pass(3) { $0.activity == "landed" })
    #expect(!flight.drone.isInEmergency)
    #expect(!flight.rejections.contains(.timeout))
  }

  @Test func `shut down lands it, and it is left alone until the next take-off`() throws {
    var flight = try Self.airborne()
    #expect(flight.command("shut_down") == [])
    #expect(flight.pass(5) { $0.activity == "landed" })
    flight.pass(1)
    let told = flight.drone.obeyedCount
    flight.pass(10)
    #expect(flight.drone.obeyedCount == told)
    #expect(flight.command("take_off") == [])
    #expect(flight.pass(10) { $0.activity == "hovering" })
  }

  @Test func `what makes no sense now is refused`() throws {
    var flight = DroneFlight()
    #expect(flight.command("take_off") == [.notNow])
    try #require(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.head(north: 1, east: 0) == [.notNow] && flight.command("hover") == [.notNow])
    #expect(flight.command("target", ["latitude": 91, "longitude": 0]) == [.invalid])
    #expect(flight.command("target", "home") == [.invalid])
    #expect(flight.command("location", ["latitude": 1]) == [.invalid])
    #expect(
      flight.command("location", ["latitude": 1, "longitude": 2, "heading": "north"]) == [.invalid])
    _ = flight.command("take_off")
    #expect(flight.command("take_off") == [] || flight.activity == "landed")
    try #require(flight.pass(10) { $0.activity == "hovering" })
    #expect(flight.command("take_off") == [.notNow])
    #expect(flight.pass(15) { $0.activity != "hovering" } == false)
  }

  @Test func `hover forgets the target`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(5)
    #expect(flight.activity == "flying" && flight.command("hover") == [])
    flight.pass(10)
    #expect(flight.activity == "hovering" && flight.talk.state["target"] == .unknown)
    #expect(flight.talk.state["distance"] == .unknown)
  }
}
