import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// A newer garage door behind a simulated BlueZ.
@Loop final class NewerGarageRadio {
  nonisolated static let key = (0..<32).map { UInt8($0 * 7 + 3) }
  nonisolated static var keyText: String { key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  nonisolated let bus: PrivateBus
  let bluez: SimulatedBlueZ
  let door = NewerGarageBoard(
    key: key, master: GarageRadio.master, pins: [GarageRadio.anna, GarageRadio.ben],
    closingInterval: .seconds(5), travelTime: .seconds(1))
  let radio: SimulatedBoard
  /// What the bridge sent, of all its links.
  private(set) var sent: [UInt8] = []

  init() async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    radio = bluez.add(door, at: GarageRadio.address)
    try await bluez.start()
    receive { _ in true }
  }

  /// Lets through to the board what `passes`, packet by packet.
  func receive(_ passes: @escaping @Loop (String) -> Bool) {
    door.receives = { [weak self] bytes in
      self?.sent += bytes
      return passes(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// How often the bridge answered a challenge.
  var answers: Int { String(decoding: sent, as: UTF8.self).split(separator: "=\"O").count - 1 }

  /// Waits until the relay has pulsed so often.
  func pulsed(_ count: Int) async throws {
    for _ in 0..<6000 where door.pulses < count { try await Loop.sleep(for: .milliseconds(10)) }
    #expect(door.pulses == count)
  }

  func close() async {
    door.stop()
    bluez.stop()
    await bus.stop()
  }
}

/// Runs a test in a house with a newer garage; the device is `garage`, and its link is held.
func withNewerGarage(
  key: String = NewerGarageRadio.keyText, session: String = "held",
  _ body: @escaping @Sendable (House, NewerGarageRadio) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let radio = try await NewerGarageRadio()
  var options = House.Options()
  options.plugs = 0
  do {
    try await withHouse(
      options,
      configured: { text in
        text.top = ["bluetooth: { bus: \"\(radio.bus.address)\" }", "log_level: debug"]
        text.devices = [
          """
          { name: Garage, kind: garage_door, link: { ble: "\(GarageRadio.address)", session: \(session) }, \
          options: { persons: [ { name: Anna, pin: \(GarageRadio.anna), owntracks: anna/phone }, \
          { name: Ben, pin: \(GarageRadio.ben) } ], open_as: Anna, master_pin: \(GarageRadio.master), \
          key: "\(key)", closing_interval: 5s, travel_time: 1s } }
          """
        ]
      },
      { house in
        try await house.startWithGarage()
        if session == "held" { try await house.garage { $0.state("door") == "closed" } }
        try await body(house, radio)
      })
    await radio.close()
  } catch {
    await radio.close()
    throw error
  }
}
