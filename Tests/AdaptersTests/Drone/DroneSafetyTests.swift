import DeviceModel
import Simulation
import Testing

@testable import Adapters

/// What must never happen, and what must happen although much is lost.
struct `The drone's safety` {
  /// A drone that another client, or this bridge before it was killed, left in the air.
  private static func left(inTheAir isFlying: Bool = true, number: Int = 1) -> DroneFirmware {
    var drone = DroneFirmware()
    drone.receive(Array("AT*CONFIG=1,\"general:navdata_demo\",\"TRUE\"\r".utf8))
    drone.receive(Array("AT*REF=\(number),\(isFlying ? 290_718_208 : 290_717_696)\r".utf8))
    for _ in 0..<100 {
      _ = drone.pass(0.02)
      drone.receive(Array("AT*PCMD=\(drone.lastSequence + 1),0,0,0,0,0\r".utf8))
    }
    return drone
  }

  private static func airborne(_ settings: DroneSettings = DroneSettings()) throws -> DroneFlight {
    var flight = DroneFlight(settings)
    try #require(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.command("take_off") == [])
    try #require(flight.pass(10) { $0.activity == "hovering" })
    return flight
  }

  private static let rise = "REF 290718208"
  private static let land = "REF 290717696"

  @Test func `a drone that is found in the air is not told to land at once`() {
    var flight = DroneFlight(drone: Self.left())
    #expect(!flight.pass(28) { $0.drone.body.stage != .flying })
    #expect(!flight.drone.obeyed.contains(Self.land))
    #expect(flight.pass(10) { $0.activity == "landed" })
    #expect(flight.why == ["nobody steers it since the bridge started"])
  }

  @Test(arguments: [1, 3, 12]) func `it takes over also when the first packets are lost`(lost: Int) {
    var flight = DroneFlight(drone: Self.left(number: 50_000), losing: lost)
    #expect(flight.pass(8) { $0.activity == "hovering" })
    #expect(flight.command("land") == [])
    #expect(flight.pass(5) { $0.activity == "landed" })
  }

  @Test func `one that fell, and is switched on anew, does not rise`() throws {
    var flight = try Self.airborne()
    flight.pass(2)
    flight.drone = DroneFirmware()
    #expect(!flight.pass(120) { $0.drone.body.stage != .landed })
    #expect(flight.activity == "landed" && !flight.drone.obeyed.contains(Self.rise))
  }

  @Test func `a take-off that does not happen in time does not happen later`() throws {
    var flight = DroneFlight()
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.loss = 1
    _ = flight.command("take_off")
    #expect(flight.pass(15) { $0.rejections.contains(.timeout) || $0.rejections.contains(.linkError) })
    flight.loss = 0
    #expect(!flight.pass(60) { $0.drone.body.stage != .landed })
    #expect(!flight.drone.obeyed.contains(Self.rise))
  }

  @Test(arguments: ["land", "shut_down", "emergency"])
  func `a take-off is taken back`(by property: String) throws {
    var flight = DroneFlight()
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.lostNext = 2
    _ = flight.command("take_off")
    #expect(flight.command("take_off") == [.notNow])
    #expect(
      flight.command(PropertyKey(stringLiteral: property)) == [.notNow], "the take-off is what is refused")
    #expect(!flight.pass(60) { $0.drone.body.stage != .landed })
  }

  @Test func `a broker that is lost in the moment of take-off takes it back`() throws {
    var flight = DroneFlight()
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.lostNext = 2
    _ = flight.command("take_off")
    #expect(flight.feed(.broker(isConnected: false)).reasons == [.notNow])
    #expect(!flight.pass(60) { $0.drone.body.stage != .landed })
    #expect(flight.command("take_off") == [.notNow])
  }

  @Test func `a reset does not take off that for which the emergency came`() throws {
    var flight = DroneFlight()
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.drone.receive(Array("AT*REF=1,290717952\r".utf8))
    #expect(flight.pass(2) { $0.activity == "emergency" })
    #expect(flight.command("take_off") == [.notNow] && flight.command("reset") == [])
    #expect(flight.pass(3) { $0.activity == "landed" })
    #expect(!flight.pass(20) { $0.drone.body.stage != .landed })
  }

  @Test func `one that lands by itself is not told to stay up`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(3)
    flight.drone.body.land()
    #expect(flight.pass(5) { $0.activity == "landed" })
    #expect(!flight.pass(30) { $0.drone.body.stage != .landed })
    #expect(flight.why == ["it lands by itself"] && flight.talk.state["target"] == .unknown)
  }

  @Test func `after shut down and a new battery it is as before`() throws {
    var flight = try Self.airborne()
    _ = flight.command("shut_down")
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.pass(2)
    flight.drone = DroneFirmware()
    flight.pass(5)
    #expect(flight.command("take_off") == [])
    #expect(flight.pass(10) { $0.activity == "hovering" })
  }

  @Test func `while the link is gone nothing is forgotten that makes it safe`() throws {
    var flight = try Self.airborne()
    flight.loss = 1
    _ = flight.command("land")
    flight.feed(.linkDown(.board, "gone"))
    flight.loss = 0
    flight.pass(5)
    flight.feed(.linkUp(.board, maximumPacket: 1472))
    #expect(flight.pass(5) { $0.activity == "landed" })
  }

  @Test func `a link that comes back finds it hovering, without a target`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 90, east: 0)
    flight.pass(3)
    flight.feed(.linkDown(.board, "gone"))
    #expect(flight.talk.state["activity"] == .unknown && flight.talk.state["target"] == .unknown)
    flight.pass(1)
    flight.feed(.linkUp(.board, maximumPacket: 1472))
    #expect(flight.pass(3) { $0.activity == "hovering" })
    #expect(!flight.pass(20) { $0.activity != "hovering" })
    #expect(flight.pass(20) { $0.activity == "landed" })
  }

  @Test(arguments: 1...5) func `the bridge stays until it stands, whatever is lost`(seed: UInt64) throws {
    var flight = try Self.airborne()
    flight.loss = 0.7
    flight.feed(.stopping)
    #expect(flight.talk.adapter.hasLastWords)
    #expect(flight.pass(20) { !$0.talk.adapter.hasLastWords })
    #expect(flight.drone.body.stage == .landed)
    #expect(flight.command("take_off") == [.notNow])
  }

  @Test func `a bridge whose drone is on the ground leaves at once`() throws {
    var flight = DroneFlight()
    try #require(flight.pass(5) { $0.activity == "landed" })
    flight.feed(.stopping)
    #expect(!flight.talk.adapter.hasLastWords)
  }

  @Test func `without telemetry nothing is claimed`() throws {
    var flight = try Self.airborne()
    flight.telemetryIsLost = true
    #expect(flight.pass(3) { $0.events.contains("telemetry_lost") })
    #expect(flight.talk.state["altitude"] == .unknown && flight.talk.state["battery"] == .unknown)
    flight.telemetryIsLost = false
    #expect(flight.pass(2) { $0.talk.state["altitude"] != .unknown && $0.talk.state["battery"] != .unknown })
  }

  @Test func `a position that was long on its way does not replace a newer one`() throws {
    var flight = DroneFlight(DroneSettings())
    flight.tellsPosition = false
    let now = Double(flight.talk.now.wall.milliseconds) / 1000
    #expect(flight.command("location", ["latitude": 1, "longitude": 2, "tst": .number(now)]) == [])
    #expect(flight.command("location", ["latitude": 3, "longitude": 4, "tst": .number(now - 60)]) == [])
    #expect(flight.talk.state["location"] == ["latitude": .number(1), "longitude": .number(2)])
  }

  @Test func `at the target an arrival is told once, also when the broker goes and comes`() throws {
    var flight = try Self.airborne()
    _ = flight.head(north: 5, east: 0)
    #expect(flight.pass(60) { $0.events.contains("arrived") })
    flight.feed(.broker(isConnected: false))
    flight.pass(3)
    flight.feed(.broker(isConnected: true))
    flight.pass(3)
    #expect(flight.events.filter { $0 == "arrived" } == ["arrived"])
    _ = flight.head(north: 10, east: 0)
    #expect(flight.pass(60) { $0.events.filter { $0 == "arrived" }.count == 2 })
  }

  @Test func `a lost position is told in each flight`() throws {
    var flight = try Self.airborne()
    for count in 1...2 {
      flight.tellsPosition = false
      flight.pass(6)
      _ = flight.head(north: 20, east: 0)
      #expect(flight.pass(7) { $0.events.filter { $0 == "position_lost" }.count == count })
      _ = flight.command("land")
      #expect(flight.pass(5) { $0.activity == "landed" })
      flight.tellsPosition = true
      flight.pass(2)
      _ = flight.command("take_off")
      #expect(flight.pass(10) { $0.activity == "hovering" })
    }
  }

  @Test func `a battery that sags and recovers is told once`() throws {
    var flight = try Self.airborne()
    for percent in [9.9, 11, 9.5, 12, 9] {
      flight.drone.body.battery = percent
      flight.pass(0.5)
    }
    #expect(flight.events.filter { $0 == "battery_low" }.count == 1)
    #expect(flight.pass(5) { $0.activity == "landed" } && flight.why == ["the battery is low"])
  }

  @Test func `a battery that would make it land at once keeps it on the ground`() throws {
    var settings = DroneSettings()
    settings.landingBattery = 60
    var flight = DroneFlight(settings)
    flight.drone.body.battery = 50
    try #require(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.command("take_off") == [.notNow])
  }
}
