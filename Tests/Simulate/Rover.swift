import EventLoop
import Simulation

/// A rover.
///
///     tilt ACROSS ALONG          m/s²
///     obstacle on | off
///     power off | on
///
/// It writes what its wheels do whenever a packet has changed that: `wheels forward 102 51`.
@Loop final class Rover: RadioBoard {
  private let rover = RoverBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    var shown = RoverSketch.Wheels()
    board = radio.add(
      Tap(name, rover) { [rover] in
        guard rover.wheels != shown else { return }
        shown = rover.wheels
        let direction = shown.direction.map { $0 == .forward ? "forward" : "backward" } ?? "none"
        Console.write("\(name) wheels \(direction) \(shown.left) \(shown.right)")
      })
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    switch (words.first, words.count) {
    case ("tilt"?, 3):
      guard let across = Double(words[1]), let along = Double(words[2]) else {
        throw Refused(reason: "tilt ACROSS ALONG")
      }
      rover.tiltAcross = across
      rover.tiltAlong = along
    case ("obstacle"?, 2): rover.isBlocked = words[1] == "on"
    default: throw Refused(reason: "tilt, obstacle or power, not \(words.joined(separator: " "))")
    }
  }

  func stop() { rover.powerOff() }
}
