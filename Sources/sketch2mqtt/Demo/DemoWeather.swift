import EventLoop
import Simulation

/// A board with Bluetooth services of its own beside those of the standard.
@Loop final class DemoWeather: DemoBoard {
  private let board = WeatherBoard()
  private var weather: LoopTimer?

  private static let address = "C0:DE:00:00:00:09"

  init(on radio: DemoRadio) {
    radio.add(board, at: Self.address)
    goOn()
  }

  var title: String { "a weather board with Bluetooth services at \(Self.address)" }

  var configuration: String {
    """
      - name: Attic
        kind: gatt
        link: { ble: "\(Self.address)" }
        options:
          services: [battery, environmental_sensing]
          characteristics:
            - { name: Lamp, characteristic: \(WeatherBoard.lamp), format: bit, writable: true }
    """
  }

  var examples: [DemoExample] { [DemoExample(topic: "attic/lamp/set", payload: "TOGGLE")] }

  func stop() { weather?.cancel() }

  private func goOn() {
    let hundredths = UInt16.random(in: 2050...2250)
    board.set([UInt8(truncatingIfNeeded: hundredths), UInt8(hundredths >> 8)], of: WeatherBoard.temperature)
    weather = LoopTimer(after: .seconds(4)) { [weak self] in self?.goOn() }
  }
}
