import EventLoop
import Simulation

/// A pet door over Bluetooth LE. Days and nights last 12 s.
@Loop final class DemoDoor: DemoBoard {
  private let door: PetDoorBoard
  private var dusk: LoopTimer?

  private static let address = "C0:DE:00:00:00:01"
  private static let halfDay = Duration.seconds(12)

  init(on radio: DemoRadio) {
    var garden = PetDoorEnvironment()
    garden.temperatureCelsius = 21.4
    garden.temperatureNoiseCelsius = 0.2
    door = PetDoorBoard(environment: garden)
    radio.add(door, at: Self.address)
    waitForDusk()
  }

  var title: String { "a pet door by Bluetooth LE at \(Self.address)" }

  var configuration: String {
    """
      - name: Pet door
        kind: pet_door
        link: { ble: "\(Self.address)" }
    """
  }

  var examples: [DemoExample] { Self.examples }

  static var examples: [DemoExample] {
    [
      DemoExample(topic: "pet_door/lock/set", payload: "LOCK"),
      DemoExample(topic: "pet_door/lock/set", payload: "UNLOCK"),
    ]
  }

  func stop() {
    dusk?.cancel()
    door.powerOff()
  }

  private func waitForDusk() {
    dusk = LoopTimer(after: Self.halfDay) { [weak self] in
      guard let self else { return }
      door.environment.light = door.environment.light > 700 ? 400 : 900
      waitForDusk()
    }
  }
}
