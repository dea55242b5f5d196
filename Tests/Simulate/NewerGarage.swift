import EventLoop
import Simulation

/// A newer garage door, which obeys the answer to its challenge alone. It knows the PIN 48151 and the master's, 90909,
/// and its key's byte at `i` is 37 i² + 101 i + 59. It closes 20 s after opening, and travels for 2.
///
///     light on | off
///     alert                      the door was left open
///     power off | on
///
/// It writes `pulse, the door is opening`, and what else it obeys: `received light=1`.
@Loop final class NewerGarage: RadioBoard {
  private let door = NewerGarageBoard(
    key: (0..<32).map { UInt8(truncatingIfNeeded: 37 * $0 * $0 + 101 * $0 + 59) }, master: "90909",
    pins: ["48151"], closingInterval: .seconds(20),
    travelTime: .seconds(2))
  let board: SimulatedBoard

  private static let ways = ["2": "opening", "3": "closing"]

  init(_ name: String, radio: Radio) {
    board = radio.add(door)
    door.onPulse = { Console.write("\(name) pulse, the door is \(Self.ways[$0] ?? $0)") }
    door.onObeyed = { Console.write("\(name) received \($0)") }
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    switch (words.first, words.last) {
    case ("light", let state?) where words.count == 2:
      door.board.change { $0.set("light", state == "on" ? "1" : "0") }
    case ("alert", _) where words.count == 1: door.board.change { $0.fire("alert", "left_open") }
    default: throw Refused(reason: "light, alert or power, not \(words.joined(separator: " "))")
    }
  }

  func stop() { door.stop() }
}
