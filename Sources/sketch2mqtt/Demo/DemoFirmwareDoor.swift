import EventLoop
import Simulation

/// The pet door's own firmware in the AVR simulator. Days and nights last 12 s, and the latch follows the servo.
@Loop final class DemoFirmwareDoor: DemoBoard {
  private let simulator: FirmwareSimulator
  private let board = FirmwareRadio(name: "S2MDoor")
  private var dusk: LoopTimer?
  private var isDay = true

  private static let address = "C0:DE:00:00:00:01"
  private static let halfDay = Duration.seconds(12)

  static func start(
    _ files: FirmwareFiles, on radio: DemoRadio
  ) async throws(DemoFailure) -> DemoFirmwareDoor {
    do throws(FirmwareSimulator.Failure) {
      let simulator = try await FirmwareSimulator.start(
        files.simulator, sketch: files.sketch("PetDoor"), ["--uart", "0=tcp:0"])
      let door = DemoFirmwareDoor(simulator)
      try await door.furnish()
      radio.add(door.board, at: Self.address)
      return door
    } catch {
      throw .board("pet door", "\(error)")
    }
  }

  private init(_ simulator: FirmwareSimulator) { self.simulator = simulator }

  var title: String { "the firmware of a pet door in an AVR simulator, by Bluetooth LE at \(Self.address)" }

  var configuration: String {
    """
      - name: Pet door
        kind: pet_door
        link: { ble: "\(Self.address)" }
    """
  }

  var examples: [DemoExample] { DemoDoor.examples }

  func stop() async {
    dusk?.cancel()
    board.leave()
    await simulator.powerOff()
  }

  /// Light, 21.5 °C, the flap's switches open, and the latch switch closed to ground while the latch is open.
  private func furnish() async throws(FirmwareSimulator.Failure) {
    try await simulator.set("D5", true)
    try await simulator.set("D6", true)
    try await simulator.set(analog: 1, reading: 143)
    try await simulator.set(analog: 0, reading: 900)
    try await simulator.set("D4", try await simulator.level(of: "D3"))
    try await simulator.watch("D3") { [simulator] isLocking, _ in
      Task { @Loop in try? await simulator.set("D4", isLocking) }
    }
    try await board.join(simulator)
    waitForDusk()
  }

  private func waitForDusk() {
    dusk = LoopTimer(after: Self.halfDay) { [weak self] in
      guard let self else { return }
      isDay.toggle()
      Task { @Loop [simulator, isDay] in try? await simulator.set(analog: 0, reading: isDay ? 900 : 400) }
      waitForDusk()
    }
  }
}
