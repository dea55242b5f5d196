import EventLoop
import Simulation

/// A rover.
///
///     tilt ACROSS ALONG          m/s²
///     obstacle on | off
///     power off | on
///
/// It writes what its wheels do whenever a packet has changed that: `wheels forward 102 51`.
@Loop final class Rover: Board, SimulatedPeripheral {
  private let name: String
  private let rover = RoverBoard()
  private var board: SimulatedBoard?
  private var shown = RoverSketch.Wheels()

  init(_ name: String, radio: Radio) {
    self.name = name
    board = radio.add(self)
  }

  var place: String { "ble \(board?.address ?? "")" }

  func perform(_ words: [String]) throws(Refused) {
    if board?.perform(power: words) == true { return }
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

  // MARK: On the air

  var advertisedName: String? { rover.advertisedName }
  var services: [SimulatedService] { rover.services }
  func connected(_ link: SimulatedLink) { rover.connected(link) }
  func disconnected() { rover.disconnected() }

  func written(_ bytes: [UInt8], to characteristic: String) {
    Console.write("\(name) received \(String(decoding: bytes, as: UTF8.self))")
    rover.written(bytes, to: characteristic)
    guard rover.wheels != shown else { return }
    shown = rover.wheels
    let direction = shown.direction.map { $0 == .forward ? "forward" : "backward" } ?? "none"
    Console.write("\(name) wheels \(direction) \(shown.left) \(shown.right)")
  }
}
