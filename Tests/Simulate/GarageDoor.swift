import EventLoop
import Simulation

/// A classic garage door that knows two PINs, 48151 and 62342, and the master's, 90909. It closes 10 s after
/// opening, and travels for 4.
///
///     power off | on
@Loop final class GarageDoor: Board, SimulatedPeripheral {
  private let name: String
  private let door = GarageBoard(
    GarageSketch(
      master: "90909", pins: ["48151", "62342"], closingInterval: .seconds(10), travelTime: .seconds(4)))
  private var board: SimulatedBoard?

  init(_ name: String, radio: Radio) {
    self.name = name
    board = radio.add(self)
    door.onPulse = { Console.write("\(name) pulse, the door is \($0)") }
  }

  var place: String { "ble \(board?.address ?? "")" }

  func perform(_ words: [String]) throws(Refused) {
    guard board?.perform(power: words) == true else {
      throw Refused(reason: "power off or power on, not \(words.joined(separator: " "))")
    }
  }

  func stop() { door.powerOff() }

  // MARK: On the air

  var advertisedName: String? { door.advertisedName }
  var services: [SimulatedService] { door.services }
  func connected(_ link: SimulatedLink) { door.connected(link) }
  func disconnected() { door.disconnected() }

  func written(_ bytes: [UInt8], to characteristic: String) {
    Console.write("\(name) received \(String(decoding: bytes, as: UTF8.self))")
    door.written(bytes, to: characteristic)
  }
}
