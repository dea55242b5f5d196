import EventLoop
import Simulation

/// The garage door's own firmware in the AVR simulator. Its door closes after 10 s, and follows the relay at once.
@Loop final class DemoFirmwareGarage: DemoBoard {
  private let files: FirmwareFiles
  private let simulator: FirmwareSimulator
  private let board = FirmwareRadio(name: "S2MGate")
  private var isOpen = false

  private static let address = "C0:DE:00:00:00:07"
  private static let pin = "48151"

  static func start(
    _ files: FirmwareFiles, on radio: DemoRadio
  ) async throws(DemoFailure) -> DemoFirmwareGarage {
    do throws(FirmwareSimulator.Failure) {
      let simulator = try await FirmwareSimulator.start(
        files.simulator, sketch: files.sketch("GarageDoor"), ["--paused", "--uart", "0=tcp:0"])
      let garage = DemoFirmwareGarage(files, simulator)
      try await garage.furnish()
      radio.add(garage.board, at: address)
      return garage
    } catch {
      throw .board("garage door", "\(error)")
    }
  }

  private init(_ files: FirmwareFiles, _ simulator: FirmwareSimulator) {
    self.files = files
    self.simulator = simulator
  }

  var title: String {
    "the firmware of a garage door in an AVR simulator, by Bluetooth LE at \(Self.address)"
  }

  /// Master PIN and key are those that the sketch was compiled with.
  var configuration: String {
    """
      - name: Garage
        kind: garage_door
        link: { ble: "\(Self.address)", session: held }
        options:
          persons: [{ name: Anna, pin: "\(Self.pin)" }]
          open_as: Anna
          master_pin: "\(files.masterPIN)"
          key: "\(files.key)"
    """
  }

  var examples: [DemoExample] {
    DemoGarage.examples + [
      DemoExample(topic: "garage/light/set", payload: "ON"),
      DemoExample(
        topic: "bridge/main/request/garage/pin/add",
        payload: #"{"device":"garage","name":"Carl","pin":"05513"}"#),
    ]
  }

  func stop() async {
    board.leave()
    await simulator.powerOff()
  }

  /// Anna's PIN and ten seconds in the EEPROM, and a contact at the door.
  private func furnish() async throws(FirmwareSimulator.Failure) {
    let digits = Self.pin.utf8.map { String($0, radix: 16) }.joined()
    try await simulator.ask("eeprom write 6 01\(digits)")
    try await simulator.ask("eeprom write 140 0a00")
    try await simulator.set("D7", false)
    try await simulator.watch("D8") { [weak self] isPressed, _ in
      guard let self, isPressed else { return }
      isOpen.toggle()
      Task { @Loop [simulator, isOpen] in try? await simulator.set("D7", isOpen) }
    }
    try await simulator.ask("resume")
    try await board.join(simulator)
  }
}
