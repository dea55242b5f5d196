import EventLoop
import Simulation

/// A classic garage door that knows two PINs, 48151 and 62342, and the master's, 90909. It closes 10 s after
/// opening, and travels for 4.
///
///     power off | on
@Loop final class GarageDoor: RadioBoard {
  private let door = GarageBoard(
    GarageSketch(
      master: "90909", pins: ["48151", "62342"], closingInterval: .seconds(10), travelTime: .seconds(4)))
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(Tap(name, door))
    door.onPulse = { Console.write("\(name) pulse, the door is \($0)") }
  }

  func perform(_ words: [String]) throws(Refused) {
    guard board.perform(power: words) else {
      throw Refused(reason: "power off or power on, not \(words.joined(separator: " "))")
    }
  }

  func stop() { door.powerOff() }
}
