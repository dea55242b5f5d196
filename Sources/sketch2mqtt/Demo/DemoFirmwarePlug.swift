import EventLoop
import Glibc
import Simulation

/// The plug's own firmware in the AVR simulator, under the stand-in of a Wi-Fi shield.
@Loop final class DemoFirmwarePlug: DemoBoard {
  private let simulator: FirmwareSimulator
  private let port: UInt16

  static func start(
    _ files: FirmwareFiles, in directory: ScratchDirectory
  ) async throws(DemoFailure) -> DemoFirmwarePlug {
    guard let port = LoopbackPort.free() else { throw .system("a free port", errno) }
    do throws(FirmwareSimulator.Failure) {
      let simulator = try await FirmwareSimulator.start(
        files.simulator, sketch: files.sketch("PowerPlug"),
        ["--net=230=\(port)", "--eeprom", "\(directory.path)/plug.eeprom"])
      return DemoFirmwarePlug(simulator, port)
    } catch {
      throw .board("power plug", "\(error)")
    }
  }

  private init(_ simulator: FirmwareSimulator, _ port: UInt16) {
    self.simulator = simulator
    self.port = port
  }

  var title: String { "the firmware of a Wi-Fi power plug in an AVR simulator, on TCP port \(port)" }

  var configuration: String {
    """
      - name: Garden plug
        kind: power_plug
        link: { tcp: "127.0.0.1:\(port)", session: polled, poll: 2s }
    """
  }

  var examples: [DemoExample] { DemoPlug.examples }

  func stop() async { await simulator.powerOff() }
}
