import DeviceModel
import Foundation
import Simulation
import Testing

@testable import Adapters

/// How far a target may be.
struct `The drone's reach` {
  private typealias Place = DroneNavigator.Place

  private static func airborne(_ settings: DroneSettings = DroneSettings()) throws -> DroneFlight {
    var flight = DroneFlight(settings)
    try #require(flight.pass(5) { $0.activity == "landed" })
    #expect(flight.command("take_off") == [])
    try #require(flight.pass(10) { $0.activity == "hovering" })
    return flight
  }

  @Test(arguments: [(101.0, 0.0), (0, -101), (-80, 80), (111_195, 0), (0, 6_000_000)])
  func `a target beyond it is refused, and the flight to another goes on`(target: (Double, Double)) throws {
    var flight = try Self.airborne()
    #expect(flight.head(north: 20, east: 0) == [])
    flight.pass(1)
    #expect(flight.head(north: target.0, east: target.1) == [.outOfRange])
    #expect(flight.pass(60) { $0.events.contains("arrived") })
    #expect(flight.distance(north: 20, east: 0) < 3)
  }

  @Test func `a refusal says how far it is and what may be set`() throws {
    var flight = try Self.airborne()
    let outputs = flight.feed(
      .commands(
        CommandBatch(
          number: 99, [Command("target", ["latitude": .number(53.5), "longitude": .number(13.4)])])
      ))
    let words = try #require(outputs.rejections.first?.rejection.explanation)
    #expect(words.contains("111196 m") && words.contains("100 m") && words.contains("'reach'"), "\(words)")
  }

  @Test func `it can be set`() throws {
    var problems: [ConfigurationProblem] = []
    for (reach, isGood) in [(5.0, true), (10_000, true), (0, false), (10_001, false)] {
      problems = []
      let options = Drone.kind.options.check(
        LocatedValue(["reach": .number(reach)]), path: "options", problems: &problems)
      #expect(problems.isEmpty == isGood)
      if isGood { #expect(DroneSettings(options).reach == reach) }
    }
    var settings = DroneSettings()
    settings.reach = 5
    var flight = try Self.airborne(settings)
    #expect(flight.head(north: 6, east: 0) == [.outOfRange])
    #expect(flight.head(north: 4, east: 0) == [])
    settings.reach = 500
    flight = try Self.airborne(settings)
    #expect(flight.head(north: 400, east: 0) == [])
  }

  @Test func `a position in the same batch counts, whichever comes first`() throws {
    var flight = try Self.airborne()
    flight.tellsPosition = false
    let far: Value = ["latitude": .number(53.5), "longitude": .number(13.4), "heading": 0]
    let target: Value = ["latitude": .number(53.5001), "longitude": .number(13.4)]
    let commands = [Command("target", target), Command("location", far)]
    #expect(flight.feed(.commands(CommandBatch(number: 91, commands))).reasons == [])
    _ = flight.command("hover")
    #expect(flight.feed(.commands(CommandBatch(number: 92, commands.reversed()))).reasons == [])
    let home = Command("target", ["latitude": .number(52.5), "longitude": .number(13.4)])
    #expect(flight.feed(.commands(CommandBatch(number: 93, [home]))).reasons == [.outOfRange])
  }

  @Test func `without a position a target is taken, and dropped when the first one shows that it is too far`()
    throws
  {
    var flight = try Self.airborne()
    flight.tellsPosition = false
    flight.pass(6)
    #expect(flight.head(north: 5000, east: 0) == [])
    flight.pass(2)
    #expect(flight.activity == "hovering" && !flight.events.contains("target_too_far"))
    let place = flight.drone.body
    flight.tellsPosition = true
    #expect(flight.pass(3) { $0.events.contains("target_too_far") })
    flight.pass(5)
    #expect(flight.activity == "hovering" && flight.talk.state["target"] == .unknown)
    #expect(flight.distance(north: place.north, east: place.east) < 1)
    #expect(flight.events.filter { $0 == "target_too_far" }.count == 1)
    #expect(flight.why.last?.contains("'reach'") == true)
  }

  @Test func `a position that jumps far away ends the flight, and one within its error does not`() throws {
    var flight = try Self.airborne()
    #expect(flight.head(north: 90, east: 0) == [])
    flight.pass(2)
    flight.tellsPosition = false
    func tell(_ flight: inout DroneFlight, north: Double) {
      let latitude = 52.5 + north / 111_195
      _ = flight.command(
        "location", ["latitude": .number(latitude), "longitude": .number(13.4), "heading": .number(0)])
    }
    tell(&flight, north: -20)
    flight.pass(1)
    #expect(flight.activity == "flying" && !flight.events.contains("target_too_far"))
    tell(&flight, north: -2000)
    #expect(flight.pass(1) { $0.events.contains("target_too_far") })
    #expect(flight.activity == "hovering" && flight.talk.state["target"] == .unknown)
    tell(&flight, north: 80)
    flight.pass(2)
    #expect(flight.activity == "hovering", "a target that is gone does not come back by itself")
  }

  @Test func `a position that says itself how vague it is ends no flight`() throws {
    var flight = try Self.airborne()
    #expect(flight.head(north: 60, east: 0) == [])
    flight.pass(2)
    flight.tellsPosition = false
    _ = flight.command(
      "location",
      ["latitude": .number(52.6), "longitude": .number(13.4), "heading": 0, "accuracy": .number(20_000)])
    flight.pass(1)
    #expect(flight.activity == "hovering" && !flight.events.contains("target_too_far"))
    flight.tellsPosition = true
    #expect(flight.pass(60) { $0.events.contains("arrived") })
  }

  // MARK: another way to the same figures

  /// On the sphere, by vectors, without a local plane: metres, and degrees clockwise from true north.
  private static func onTheSphere(_ start: Place, _ end: Place) -> (metres: Double, bearing: Double) {
    func vector(_ place: Place) -> (x: Double, y: Double, z: Double) {
      let (a, o) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
      return (cos(a) * cos(o), cos(a) * sin(o), sin(a))
    }
    let (s, e) = (vector(start), vector(end))
    let (a, o) = (start.latitude * .pi / 180, start.longitude * .pi / 180)
    let d = (x: e.x - s.x, y: e.y - s.y, z: e.z - s.z)
    let chord = (d.x * d.x + d.y * d.y + d.z * d.z).squareRoot()
    let east = -sin(o) * d.x + cos(o) * d.y
    let north = -sin(a) * cos(o) * d.x - sin(a) * sin(o) * d.y + cos(a) * d.z
    let bearing = atan2(east, north) * 180 / .pi
    return (2 * asin(chord / 2) * 6_371_008.8, bearing < 0 ? bearing + 360 : bearing)
  }

  @Test(arguments: [0.0, 52.5, -33.9, 70, -70, 89, -89.5], [0.0, 13.4, -179.9999, 179.9999, 180, -180])
  func `in every quadrant, at the antimeridian and near the poles, it turns the short way and goes`(
    latitude: Double, longitude: Double
  ) {
    let start = Place(latitude: latitude, longitude: longitude)
    for direction in stride(from: 0.0, to: 360, by: 15) {
      let (north, east) = (90 * cos(direction * .pi / 180), 90 * sin(direction * .pi / 180))
      var end = start
      end.latitude += north / 111_195
      end.longitude += east / 111_195 / cos(latitude * .pi / 180)
      if end.longitude > 180 { end.longitude -= 360 }
      if end.longitude < -180 { end.longitude += 360 }
      let (metres, bearing) = Self.onTheSphere(start, end)
      let way = DroneNavigator.way(from: start, to: end)
      #expect(abs(way.distance - metres) < 0.2, "\(start) \(end)")
      #expect(abs(DroneNavigator.turn(way.bearing - bearing)) < 0.6, "\(start) \(end)")
      #expect((0...360).contains(way.bearing))
      for (heading, offset) in [(0.0, 0.0), (300, 90), (45, -90), (200, 180), (-100, -170)] {
        var navigator = DroneNavigator()
        navigator.mountingOffset = offset
        navigator.head(for: end)
        navigator.locate(.init(place: start, heading: heading, accuracy: 3, time: .zero))
        guard case .go(let yaw, let forward) = navigator.course(at: .zero) else {
          Issue.record("it does not go from \(start) to \(end)")
          continue
        }
        // Nose to bearing by the shorter way: its sine and cosine tell without any modulus.
        let nose = (heading + offset) * .pi / 180
        let ahead = cos(bearing * .pi / 180 - nose)
        let right = sin(bearing * .pi / 180 - nose)
        if abs(ahead - cos(.pi / 4)) > 0.02 { #expect((forward > 0) == (ahead > cos(.pi / 4))) }
        if abs(right) > 0.02 { #expect((yaw > 0) == (right > 0)) }
        #expect(abs(yaw) <= 1 && (forward == 0 || forward == 0.2))
      }
    }
  }
}
