import EventLoop
import Simulation

/// A pet door.
///
///     light 0…1023
///     temperature CELSIUS
///     thermometer broken | whole
///     latch jammed | free
///     power off | on             as after a reset when it is back
@Loop final class PetDoor: Board, SimulatedPeripheral {
  private let name: String
  private let door: PetDoorBoard
  private var board: SimulatedBoard?

  init(_ name: String, radio: Radio) {
    self.name = name
    door = PetDoorBoard()
    board = radio.add(self)
  }

  var place: String { "ble \(board?.address ?? "")" }

  func perform(_ words: [String]) throws(Refused) {
    if board?.perform(power: words) == true {
      if words[1] == "on" { door.reset() }
      return
    }
    guard words.count == 2 else { throw Refused(reason: "two words, not \(words.joined(separator: " "))") }
    switch (words[0], words[1]) {
    case ("light", let text):
      guard let light = Int(text) else { throw Refused(reason: "light 0…1023") }
      door.environment.light = light
    case ("temperature", let text):
      guard let celsius = Double(text) else { throw Refused(reason: "temperature CELSIUS") }
      door.environment.temperatureCelsius = celsius
    case ("thermometer", let state): door.environment.isThermometerBroken = state == "broken"
    case ("latch", let state): door.environment.isLatchJammed = state == "jammed"
    default: throw Refused(reason: "light, temperature, thermometer, latch or power, not \(words[0])")
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
