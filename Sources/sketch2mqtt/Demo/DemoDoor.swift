import EventLoop
import Glibc
import Simulation

/// A pet door over Bluetooth LE, by a simulated BlueZ on a bus of the demo's own. Days and nights last 12 s.
@Loop final class DemoDoor: DemoBoard {
  private let bus: PrivateBus
  private let bluez: SimulatedBlueZ
  private let door: PetDoorBoard
  private var dusk: LoopTimer?

  private static let address = "C0:DE:00:00:00:01"
  private static let halfDay = Duration.seconds(12)

  static func start() async throws(DemoFailure) -> DemoDoor {
    let bus: PrivateBus
    do throws(PrivateBus.Failure) {
      bus = try await PrivateBus.start()
    } catch {
      if case .notStarted(let code) = error, code == ENOENT { throw .noBus }
      throw .board("Bluetooth", "no bus: \(error)")
    }
    let demo = DemoDoor(bus)
    do {
      try await demo.bluez.start()
    } catch {
      await demo.stop()
      throw .board("Bluetooth", "\(error)")
    }
    return demo
  }

  private init(_ bus: PrivateBus) {
    self.bus = bus
    bluez = SimulatedBlueZ(busAddress: bus.address)
    var garden = PetDoorEnvironment()
    garden.temperatureCelsius = 21.4
    garden.temperatureNoiseCelsius = 0.2
    door = PetDoorBoard(environment: garden)
    bluez.add(door, at: Self.address)
    waitForDusk()
  }

  var title: String { "a pet door by Bluetooth LE at \(Self.address)" }

  var sections: String { "bluetooth: { bus: \"\(bus.address)\" }\n" }

  var configuration: String {
    """
      - name: Pet door
        kind: pet_door
        link: { ble: "\(Self.address)" }
    """
  }

  var examples: [DemoExample] {
    [
      DemoExample(topic: "pet_door/lock/set", payload: "LOCK"),
      DemoExample(topic: "pet_door/lock/set", payload: "UNLOCK"),
    ]
  }

  func stop() async {
    dusk?.cancel()
    door.powerOff()
    bluez.stop()
    await bus.stop()
  }

  func kill() { _ = Glibc.kill(bus.processID, SIGKILL) }

  private func waitForDusk() {
    dusk = LoopTimer(after: Self.halfDay) { [weak self] in
      guard let self else { return }
      door.environment.light = door.environment.light > 700 ? 400 : 900
      waitForDusk()
    }
  }
}
