import Testing

@testable import Adapters

struct `The drone's navigator` {
  private typealias Place = DroneNavigator.Place

  private static func close(_ left: Double, _ right: Double, within margin: Double) -> Bool {
    (left - right).magnitude <= margin
  }

  @Test(arguments: [
    // A degree of latitude is 111.195 km; one of longitude is that times the cosine of the latitude.
    (0.0, 0.0, 0.001, 0.0, 111.195, 0.0), (0, 0, 0, 0.001, 111.195, 90), (0, 0, -0.001, 0, 111.195, 180),
    (0, 0, 0, -0.001, 111.195, 270), (60, 10, 60, 10.001, 55.598, 90), (60, 10, 60.001, 10.002, 157.252, 45),
    (-33, 151, -33.001, 151, 111.195, 180), (0, 179.9995, 0, -179.9995, 111.195, 90),
  ])
  func `distance and bearing are those on the plane there`(
    latitude: Double, longitude: Double, toLatitude: Double, toLongitude: Double, distance: Double,
    bearing: Double
  ) {
    let way = DroneNavigator.way(
      from: Place(latitude: latitude, longitude: longitude),
      to: Place(latitude: toLatitude, longitude: toLongitude))
    #expect(Self.close(way.distance, distance, within: 0.01))
    #expect(Self.close(way.bearing, bearing, within: 0.05))
  }

  @Test(arguments: [
    (0.0, 0.0), (180, 180), (-180, -180), (181, -179), (359, -1), (-359, 1), (540, 180), (-270, 90),
  ])
  func `an angle is turned the short way`(degrees: Double, turned: Double) {
    #expect(DroneNavigator.turn(degrees) == turned)
  }

  private static func navigator(
    heading: Double?, accuracy: Double? = 3, target: Place? = Place(latitude: 0.0005, longitude: 0)
  ) -> DroneNavigator {
    var navigator = DroneNavigator()
    navigator.head(for: target)
    navigator.locate(
      .init(
        place: Place(latitude: 0, longitude: 0), heading: heading, accuracy: accuracy, time: .seconds(100)))
    return navigator
  }

  @Test(arguments: [
    (0.0, 0.0, 0.2), (10, -0.1, 0.2), (350, 0.1, 0.2), (44, -0.44, 0.2), (45, -0.45, 0), (90, -0.9, 0),
    (150, -1, 0), (210, 1, 0), (180, 1, 0),
  ])
  func `it turns towards the target, and goes when that is ahead`(
    heading: Double, yaw: Double, forward: Double
  ) {
    var navigator = Self.navigator(heading: heading)
    guard case .go(let turned, let went) = navigator.course(at: .seconds(101)) else {
      Issue.record("it does not go")
      return
    }
    // Straight behind is as far to the left as to the right.
    #expect(Self.close(heading == 180 ? turned.magnitude : turned, yaw, within: 1e-9) && went == forward)
  }

  @Test func `a phone that lies across looks to the right of the nose`() {
    var navigator = Self.navigator(heading: 270)
    navigator.mountingOffset = 90
    #expect(navigator.course(at: .seconds(101)) == .go(yaw: 0, forward: 0.2))
  }

  @Test func `at the target it stays, also when it drifts off, until there is a new one`() {
    var navigator = Self.navigator(heading: 0, target: Place(latitude: 0.000_008, longitude: 0))
    #expect(navigator.course(at: .seconds(101)) == .hover(.arrived))
    navigator.locate(
      .init(place: Place(latitude: 1, longitude: 0), heading: 0, accuracy: nil, time: .seconds(101)))
    #expect(navigator.course(at: .seconds(101)) == .hover(.arrived))
    navigator.head(for: Place(latitude: 1.0005, longitude: 0))
    #expect(navigator.course(at: .seconds(101)) == .go(yaw: 0, forward: 0.2))
  }

  @Test func `without a good position it hovers and says why`() {
    var old = Self.navigator(heading: 0)
    #expect(old.course(at: .seconds(105)) == .go(yaw: 0, forward: 0.2))
    #expect(old.course(at: .milliseconds(105_001)) == .hover(.noPosition("the position is older than 5 s")))
    var vague = Self.navigator(heading: 0, accuracy: 25.1)
    #expect(vague.course(at: .seconds(100)) == .hover(.noPosition("the position is only known to 25 m")))
    var exact = Self.navigator(heading: 0, accuracy: 25)
    #expect(exact.course(at: .seconds(100)) == .go(yaw: 0, forward: 0.2))
    var blind = Self.navigator(heading: nil)
    #expect(blind.course(at: .seconds(100)) == .hover(.noPosition("no heading is known")))
    var lost = DroneNavigator()
    lost.head(for: Place(latitude: 0, longitude: 0))
    #expect(lost.course(at: .zero) == .hover(.noPosition("no position is known")))
    var aimless = Self.navigator(heading: 0, target: nil)
    #expect(aimless.course(at: .seconds(100)) == .hover(.noTarget))
  }
}
