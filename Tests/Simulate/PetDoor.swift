import EventLoop
import Simulation

/// A pet door.
///
///     light 0…1023
///     temperature CELSIUS
///     thermometer broken | whole
///     latch jammed | free
///     power off | on             as after a reset when it is back
@Loop final class PetDoor: RadioBoard {
  private let door = PetDoorBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(Tap(name, door))
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) {
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
}
