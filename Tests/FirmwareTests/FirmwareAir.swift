import EventLoop
import Simulation

/// A simulated BlueZ on a bus of its own, with the radios of sketches in the simulator.
@Loop final class FirmwareAir {
  nonisolated let bus: PrivateBus
  let bluez: SimulatedBlueZ

  private init() async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    try await bluez.start()
  }

  /// Runs `body`, and ends what was started whichever way that ends.
  static func with(_ body: @Loop (FirmwareAir) async throws -> Void) async throws {
    let air = try await FirmwareAir()
    do {
      try await body(air)
    } catch {
      await air.close()
      throw error
    }
    await air.close()
  }

  private func close() async {
    bluez.stop()
    await bus.stop()
  }
}
