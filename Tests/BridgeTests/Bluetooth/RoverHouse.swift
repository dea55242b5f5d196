import EventLoop
import Simulation
import TestSupport
import Testing

/// A rover on the air.
typealias Track = OnAir<RoverBoard>

extension Track {
  var rover: RoverBoard { board }
  var bluez: SimulatedBlueZ { air.bluez }

  /// Commands that the board got, from index `seen` on.
  func commands(from seen: Int = 0) -> [String] { Array(rover.commands.dropFirst(seen)) }
  var count: Int { rover.received.count }

  /// Waits until the board got what `matches`, from index `seen` on.
  func commands(
    from seen: Int, are matches: @escaping ([String]) -> Bool,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async {
    do {
      try await rover.wait { matches(Array($0.commands.dropFirst(seen))) }
    } catch {
      Issue.record(error, "the board got \(commands(from: seen))", sourceLocation: location)
    }
  }
}

/// Runs a test in a house whose only board is `rover`, on the track. By default nothing stops it for want of commands.
func withTrack(
  options: String = "command_timeout: 1h", _ body: (House, Track) async throws -> Void
) async throws {
  try await withBoard(
    { RoverBoard() },
    device: "{ name: Rover, kind: rover, link: { ble: \"\(Air.boardAddress)\" }, options: { \(options) } }"
  ) { house, track in
    try await house.start(awaiting: "rover")
    try await body(house, track)
  }
}

extension House {
  /// The rover drives at 40, and its wheels turn.
  func drive(_ track: Track) async throws {
    let seen = await track.count
    try await publish("40", to: "rover/throttle/set")
    await track.commands(from: seen) { $0.last == "T=40" }
    #expect(await !track.rover.wheels.isStanding)
  }
}
