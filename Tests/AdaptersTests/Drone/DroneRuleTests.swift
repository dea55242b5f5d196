import DeviceModel
import Simulation
import TestSupport
import Testing

@testable import Adapters

/// When a drone may go forward, kept beside it by other means: what was told, in metres and seconds.
private struct Permit {
  var position: (north: Double, east: Double, accuracy: Double, hasHeading: Bool, at: Double)?
  var target: (north: Double, east: Double)?
  var isBrokerThere = true
  /// Since when no telemetry arrives.
  var deafSince: Double?
  /// When all was well last.
  private(set) var last = -1.0

  mutating func look(at now: Double) {
    guard let position, let target, isBrokerThere, position.hasHeading, position.accuracy <= 25 else {
      return
    }
    let (north, east) = (target.north - position.north, target.east - position.east)
    // A hundred metres at first, and the error of a position.
    guard north * north + east * east <= 126 * 126, now - position.at <= 5 else { return }
    if let deafSince, now - deafSince > 1.2 { return }
    last = now
  }
}

struct `The drone's rules` {
  @Test(arguments: 1...8) func `it goes forward only while it may, whatever happens in whatever order`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed)
    var flight = DroneFlight(seed: seed)
    flight.tellsPosition = false
    var permit = Permit()
    var forward = 0
    for _ in 0..<9000 {
      if Int.random(in: 0..<20, using: &random) == 0 {
        happen(&flight, &permit, &random)
      }
      let count = flight.drone.obeyedCount
      flight.pass(0.02)
      permit.look(at: flight.elapsed)
      let lines = flight.drone.obeyed.suffix(flight.drone.obeyedCount - count)
      guard let line = lines.last(where: { $0.hasPrefix("PCMD") }) else { continue }
      let arguments = line.dropFirst(5).split(separator: ",")
      guard flight.drone.body.stage == .flying, arguments.count == 5, arguments[2] != "0" else { continue }
      forward += 1
      // It is steered four times a second, and told twenty times.
      #expect(flight.elapsed - permit.last < 0.35, "at \(flight.elapsed) s it goes: \(permit)")
    }
    #expect(forward > 50, "it went for \(forward) steps only")
  }

  private func happen(_ flight: inout DroneFlight, _ permit: inout Permit, _ random: inout SeededRandom) {
    let body = flight.drone.body
    switch Int.random(in: 0..<24, using: &random) {
    case 0:
      tell(&flight, &permit, body.north + .random(in: -300...300, using: &random), body.east, accuracy: 3)
    case 1: tell(&flight, &permit, body.north, body.east, accuracy: .random(in: 25.5...500, using: &random))
    case 2: tell(&flight, &permit, body.north, body.east, accuracy: 3, hasHeading: false)
    case 3, 4, 5:
      let reach = -90.0...90
      head(
        &flight, &permit, body.north + .random(in: reach, using: &random),
        body.east + .random(in: reach, using: &random))
    case 6: head(&flight, &permit, body.north + .random(in: 130...5000, using: &random), body.east)
    case 7:
      permit.isBrokerThere.toggle()
      flight.feed(.broker(isConnected: permit.isBrokerThere))
    case 8:
      flight.telemetryIsLost.toggle()
      permit.deafSince = flight.telemetryIsLost ? flight.elapsed : nil
    case 9: if flight.command("hover") == [] { permit.target = nil }
    case 10:
      flight.feed(.linkDown(.board, "gone"))
      permit.target = nil
      flight.feed(.linkUp(.board, maximumPacket: 1472))
    case 11, 12, 13: if flight.command("take_off") == [] { permit.target = nil }
    default: tell(&flight, &permit, body.north, body.east, accuracy: 3)
    }
  }

  private func tell(
    _ flight: inout DroneFlight, _ permit: inout Permit, _ north: Double, _ east: Double, accuracy: Double,
    hasHeading: Bool = true
  ) {
    var place = DroneFlight.location(north: north, east: east)
    place["accuracy"] = .number(accuracy)
    if hasHeading { place["heading"] = .number(flight.drone.body.heading) }
    #expect(flight.command("location", .object(place)) == [])
    permit.position = (north, east, accuracy, hasHeading, flight.elapsed)
  }

  private func head(_ flight: inout DroneFlight, _ permit: inout Permit, _ north: Double, _ east: Double) {
    if flight.head(north: north, east: east) == [] { permit.target = (north, east) }
  }
}
