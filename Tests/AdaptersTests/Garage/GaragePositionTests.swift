import DeviceModel
import Testing

@testable import Adapters

/// Positions that a phone tells between its transitions.
struct `Where a phone is` {
  private static func location(
    _ garage: GarageTalk, _ regions: [Value]?, latitude: Double = 52, accuracy: Int? = 20,
    after seconds: Int = 0
  ) -> Value {
    var members: Value.Members = [
      "_type": "location", "lat": .number(latitude), "lon": 13.0, "tst": .integer(garage.now + seconds),
      "t": "u",
    ]
    members["acc"] = accuracy.map { .integer($0) }
    members["inregions"] = regions.map { .list($0) }
    return .object(members)
  }

  @Test func `an accurate, fresh position outside the home arms, of a phone that knows the home`() throws {
    var garage = try GarageTalk()
    garage.message(Self.location(garage, []))
    #expect(!garage.isArmed(), "a phone without the home's region is never in it")
    garage.message(Self.location(garage, ["Home", "Work"]))
    garage.pass(60)
    garage.message(Self.location(garage, [], accuracy: 101))
    garage.message(Self.location(garage, [], accuracy: nil))
    garage.message(Self.location(garage, [], after: -121))
    garage.message(Self.location(garage, ["Garage"]))
    #expect(!garage.isArmed())
    garage.pass(60)
    garage.message(Self.location(garage, ["Work"]))
    #expect(garage.isArmed())
    #expect(garage["in_home_anna"] == false)
  }

  @Test func `the circle of the home is learnt from its waypoint, and remembered`() throws {
    var garage = try GarageTalk()
    garage.message([
      "_type": "waypoint", "desc": "Home", "lat": 52.0, "lon": 13.0, "rad": 200, "tst": 1_764_000_000,
      "rid": "h1",
    ])
    try garage.restart()
    garage.message(Self.location(garage, nil, latitude: 52.0019))
    garage.message(Self.location(garage, [], latitude: 52.0019))
    #expect(!garage.isArmed(), "212 m off, 20 m uncertain")
    garage.message(Self.location(garage, nil, latitude: 52.0021))
    #expect(garage.isArmed())
    garage.message([
      "_type": "transition", "event": "leave", "rid": "h1", "tst": .integer(garage.now), "wtst": 1,
    ])
    #expect(garage.events.last?["event_type"] != "refused")
  }

  @Test func `a position in the beacon's region stands for a transition that was lost`() throws {
    var garage = try GarageTalk()
    garage.message(Self.location(garage, ["Home", "Garage"]))
    garage.pass(60)
    garage.phone("leave", "Home")
    garage.message(Self.location(garage, ["Garage"]))
    #expect(garage.sent.isEmpty, "the phone tells only minutes later that it left the beacon")
    garage.pass(60)
    garage.message(Self.location(garage, []))
    garage.pass(600)
    garage.message(Self.location(garage, ["Home", "Garage"]))
    #expect(garage.pulses.count == 1)
  }

  @Test func `who is found at the beacon has not come there`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    try garage.restart()
    garage.message(Self.location(garage, ["Home", "Garage"]))
    #expect(garage.sent.isEmpty)
    #expect(garage["in_beacon_anna"] == true)
  }
}
