import EventLoop
import Simulation

/// A beacon on a bunch of keys, which are carried about the house, and out of it now and then.
@Loop final class DemoTag: DemoBoard {
  private let tag: SimulatedBoard
  private var walk: LoopTimer?
  private var step = 0

  private static let uuid: [UInt8] = [
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
  ]
  /// Strengths of places on the way, dBm; nil is out of reach.
  private static let places: [Int16?] = [-50, -62, -75, nil]

  init(on radio: DemoRadio) {
    tag = radio.add(BeaconTag(), at: "C0:DE:00:00:00:08")
    tag.isConnectable = false
    tag.manufacturerData = [0x004C: [0x02, 0x15] + Self.uuid + [0, 1, 0, 2, 0xC5]]
    tag.rssiSwing = 4
    goOn()
  }

  var title: String { "a beacon on a bunch of keys" }

  var configuration: String {
    """
      - name: Keys
        kind: beacon
        options: { uuid: e2c56db5-dffb-48d2-b060-d0f5a71096e0, major: 1, minor: 2, silence: 5s }
    """
  }

  var examples: [DemoExample] { [] }

  func stop() { walk?.cancel() }

  private func goOn() {
    tag.isAdvertising = Self.places[step] != nil
    tag.rssiDBm = Self.places[step] ?? tag.rssiDBm
    step = (step + 1) % Self.places.count
    walk = LoopTimer(after: .seconds(12)) { [weak self] in self?.goOn() }
  }
}
