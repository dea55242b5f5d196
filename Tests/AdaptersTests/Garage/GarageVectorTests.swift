import DeviceModel
import JSON
import Testing

@testable import Adapters

struct `The garage door's vectors` {
  private static let regions = GarageRegions(
    home: "home", beacon: "garage", uuid: BluetoothUUID(high: 0, low: 0xFF), major: 0, minor: 1)

  @Test func `messages of OwnTracks are read as their vector says`() throws {
    for vector in try Vectors.load("garage-door-owntracks.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let payload: [UInt8] =
        switch vector["payload"] {
        case .text(let text)?: Array(text.utf8)
        case let value?: Array(JSON.text(of: value).utf8)
        case nil: []
        }
      do throws(OwnTracksError) {
        let message = try OwnTracksMessage(payload)
        #expect(Self.words(for: message) == vector["told"], why)
      } catch {
        let expected = try #require(vector.text("error"), "\(why): \(error)")
        #expect("\(error)".contains(expected), why)
      }
    }
  }

  @Test func `the board's answers to P are read as their vector says`() throws {
    for vector in try Vectors.load("garage-door-pins.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      var table = PINTable()
      var behind = 0
      for case .text(let hex) in try #require(vector.list("received")) {
        behind += table.receive(try [UInt8](hex: hex))
      }
      #expect(.list(table.pins.keys.sorted().map { .integer($0) }) == vector["indices"], why)
      #expect(table.isComplete == vector.isTrue("complete"), why)
      #expect(behind == vector.integer("garbage") ?? 0, why)
    }
  }

  private static func words(for message: OwnTracksMessage) -> Value {
    var words = Value.Members()
    switch message {
    case .transition(let transition):
      words["transition"] = transition.isEntering ? "enter" : "leave"
      words["region"] = transition.region.flatMap(regions.region).map { .text($0.rawValue) }
      if transition.region == nil { words["identifier"] = transition.identifier.map { .text($0) } }
      words["time"] = .integer(Int(transition.time.seconds))
    case .location(let location):
      words["location"] =
        location.regions.map { .list($0.compactMap(regions.region).map { .text($0.rawValue) }) } ?? .unknown
      words["accuracy"] = location.accuracyMetres.map { .integer(Int($0)) }
      words["time"] = .integer(Int(location.time.seconds))
    case .waypoints(let waypoints):
      words["waypoints"] = .list(
        waypoints.map { waypoint in
          var words = Value.Members()
          words["region"] = regions.region(waypoint.region).map { .text($0.rawValue) }
          words["identifier"] = waypoint.identifier.map { .text($0) }
          words["radius"] = waypoint.circle.map { .integer(Int($0.radiusMetres)) }
          return .object(words)
        })
    case .other(let type): words["other"] = .text(type)
    }
    return .object(words)
  }
}
