import EventLoop
import Simulation

/// The rover's own firmware in the AVR simulator. What it drives towards comes nearer, and is passed once it stands.
@Loop final class DemoFirmwareRover: DemoBoard {
  private let simulator: FirmwareSimulator
  private let board = FirmwareRadio(name: "S2MRovr")
  private var road: LoopTimer?
  private var centimetres = farthest

  private static let address = "C0:DE:00:00:00:02"
  private static let accelerometer = "0x53"
  private static let farthest = 80
  private static let motors = ["D5", "D6"]

  static func start(
    _ files: FirmwareFiles, on radio: DemoRadio
  ) async throws(DemoFailure) -> DemoFirmwareRover {
    do throws(FirmwareSimulator.Failure) {
      let simulator = try await FirmwareSimulator.start(
        files.simulator, sketch: files.sketch("Rover"), ["--uart", "0=tcp:0", "--i2c", accelerometer])
      let rover = DemoFirmwareRover(simulator)
      // Leaning a little to its right, in steps of 3.9 mg.
      try await simulator.ask("i2c write \(accelerometer) 0x32 0800f8ff")
      try await rover.board.join(simulator)
      rover.goOn()
      radio.add(rover.board, at: address)
      return rover
    } catch {
      throw .board("rover", "\(error)")
    }
  }

  private init(_ simulator: FirmwareSimulator) { self.simulator = simulator }

  var title: String { "the firmware of a rover in an AVR simulator, by Bluetooth LE at \(Self.address)" }

  var configuration: String {
    """
      - name: Rover
        kind: rover
        link: { ble: "\(Self.address)" }
        options: { form: lines }
    """
  }

  var examples: [DemoExample] { DemoRover.examples }

  func stop() async {
    road?.cancel()
    board.leave()
    await simulator.powerOff()
  }

  private func goOn() {
    road = LoopTimer(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      Task { @Loop [weak self] in try? await self?.drive() }
      goOn()
    }
  }

  private func drive() async throws(FirmwareSimulator.Failure) {
    var isMoving = false
    for motor in Self.motors {
      let words = try await simulator.ask("pwm \(motor)").split(separator: " ")
      isMoving = isMoving || words.contains("on")
    }
    centimetres = isMoving ? max(10, centimetres - 10) : Self.farthest
    try await simulator.set(analog: 0, reading: 4800 / centimetres + 20)
  }
}
