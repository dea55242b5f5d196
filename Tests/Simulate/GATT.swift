import EventLoop
import Simulation

/// A board with services of its own beside those of the standard.
///
///     battery PERCENT
///     temperature HUNDREDTHS     of a degree
///     power off | on
@Loop final class GATT: Board, SimulatedPeripheral {
  private let name: String
  private let weather = WeatherBoard()
  private var board: SimulatedBoard?

  init(_ name: String, radio: Radio) {
    self.name = name
    board = radio.add(self)
  }

  var place: String { "ble \(board?.address ?? "")" }

  func perform(_ words: [String]) throws(Refused) {
    if board?.perform(power: words) == true { return }
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

  func stop() {}

  // MARK: On the air

  var advertisedName: String? { weather.advertisedName }
  var services: [SimulatedService] { weather.services }
  func connected(_ link: SimulatedLink) { weather.connected(link) }
  func disconnected() { weather.disconnected() }
  func read(_ characteristic: String) -> Result<[UInt8], BlueZFault> { weather.read(characteristic) }

  func written(_ bytes: [UInt8], to characteristic: String) {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    Console.write("\(name) received \(digits)")
    weather.written(bytes, to: characteristic)
  }
}
