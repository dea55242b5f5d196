import EventLoop
import Simulation

/// A rover over Bluetooth LE, on a floor with a gentle slope here and there.
@Loop final class DemoRover: DemoBoard {
  private let rover = RoverBoard()
  private var floor: LoopTimer?
  private var step = 0

  private static let address = "C0:DE:00:00:00:02"
  private static let slopes = [0.0, 0.35, 0.0, -0.6]

  init(on radio: DemoRadio) {
    radio.add(rover, at: Self.address)
    goOn()
  }

  var title: String { "a rover by Bluetooth LE at \(Self.address)" }

  var configuration: String {
    """
      - name: Rover
        kind: rover
        link: { ble: "\(Self.address)" }
    """
  }

  var examples: [DemoExample] { Self.examples }

  static let examples = [
    DemoExample(topic: "rover/voice/set", payload: "SLOW FORWARD"),
    DemoExample(topic: "rover/set", payload: #"{"throttle":50,"steering":-20}"#),
    DemoExample(topic: "rover/stop/set", payload: "PRESS"),
  ]

  func stop() {
    floor?.cancel()
    rover.powerOff()
  }

  /// The floor passes only under a rover that moves.
  private func goOn() {
    floor = LoopTimer(after: .seconds(5)) { [weak self] in
      guard let self else { return }
      if !rover.wheels.isStanding { step += 1 }
      rover.tiltAlong = Self.slopes[step % Self.slopes.count]
      goOn()
    }
  }
}
