import EventLoop
import Simulation

/// The air: a bus of its own, and a BlueZ on it that reaches the boards.
@Loop final class Radio {
  private let bus: PrivateBus
  private let bluez: SimulatedBlueZ
  private var boards: UInt8 = 0

  private init(bus: PrivateBus, bluez: SimulatedBlueZ) {
    self.bus = bus
    self.bluez = bluez
  }

  static func start() async throws -> Radio {
    let bus = try await PrivateBus.start()
    let bluez = SimulatedBlueZ(busAddress: bus.address)
    do {
      try await bluez.start()
    } catch {
      await bus.stop()
      throw error
    }
    return Radio(bus: bus, bluez: bluez)
  }

  var busAddress: String { bus.address }

  /// Puts a board within reach, at C0:DE:00:00:00:01 and so on.
  func add(_ peripheral: any SimulatedPeripheral) -> SimulatedBoard {
    boards += 1
    let digits = String(boards, radix: 16)
    return bluez.add(peripheral, at: "C0:DE:00:00:00:" + (boards < 16 ? "0" : "") + digits)
  }

  func stop() async {
    bluez.stop()
    await bus.stop()
  }
}

extension SimulatedBoard {
  /// `power off`: no longer heard of; `power on`: within reach again. False for other words.
  func perform(power words: [String]) -> Bool {
    guard words.count == 2, words[0] == "power", ["on", "off"].contains(words[1]) else { return false }
    isAdvertising = words[1] == "on"
    if !isAdvertising { drop() }
    return true
  }
}
