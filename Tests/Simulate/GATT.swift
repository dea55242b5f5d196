import EventLoop
import Simulation

/// A board with services of its own beside those of the standard.
///
///     battery PERCENT
///     temperature HUNDREDTHS     of a degree
///     power off | on
@Loop final class GATT: RadioBoard {
  private let weather = WeatherBoard()
  let board: SimulatedBoard

  init(_ name: String, radio: Radio) {
    board = radio.add(Tap(name, weather, inHexadecimal: true))
  }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    guard words.count == 2, let number = Int16(words[1]) else {
      throw Refused(reason: "battery PERCENT, temperature HUNDREDTHS, or power")
    }
    let bits = UInt16(bitPattern: number)
    switch words[0] {
    case "battery": weather.set([UInt8(truncatingIfNeeded: bits)], of: WeatherBoard.battery)
    case "temperature":
      weather.set([UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)], of: WeatherBoard.temperature)
    default: throw Refused(reason: "battery PERCENT, temperature HUNDREDTHS, or power")
    }
  }
}
