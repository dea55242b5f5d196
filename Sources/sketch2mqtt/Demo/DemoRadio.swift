import EventLoop
import Glibc
import Simulation

/// A simulated BlueZ on a bus of the demo's own, for all of its boards that speak Bluetooth LE.
@Loop final class DemoRadio {
  private let bus: PrivateBus
  private let bluez: SimulatedBlueZ

  static func start() async throws(DemoFailure) -> DemoRadio {
    let bus: PrivateBus
    do throws(PrivateBus.Failure) {
      bus = try await PrivateBus.start()
    } catch {
      if case .notStarted(let code) = error, code == ENOENT { throw .noBus }
      throw .board("Bluetooth", "no bus: \(error)")
    }
    let radio = DemoRadio(bus)
    do {
      try await radio.bluez.start()
    } catch {
      await radio.stop()
      throw .board("Bluetooth", "\(error)")
    }
    return radio
  }

  private init(_ bus: PrivateBus) {
    self.bus = bus
    bluez = SimulatedBlueZ(busAddress: bus.address)
  }

  /// The line of the configuration.
  var section: String { "bluetooth: { bus: \"\(bus.address)\" }\n" }

  @discardableResult
  func add(_ peripheral: any SimulatedPeripheral, at address: String) -> SimulatedBoard {
    bluez.add(peripheral, at: address)
  }

  func stop() async {
    bluez.stop()
    await bus.stop()
  }

  func kill() { _ = Glibc.kill(bus.processID, SIGKILL) }
}
