import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// A newer garage door on the air.
typealias NewerGarageRadio = OnAir<NewerGarageBoard>

extension NewerGarageRadio {
  /// No board's.
  nonisolated static var keyText: String {
    "c40f8b16a95e7d3206f1b8e25d9c7a4330e86b1f54d2a79c8b05e3617fd49a2c"
  }
  nonisolated static var key: [UInt8] { [UInt8](hexadecimal: keyText) ?? [] }

  var door: NewerGarageBoard { board }

  /// What the bridge sent, of all its links.
  var sent: [UInt8] { door.received.flatMap { $0 } }

  /// Lets through to the board what `passes`, packet by packet.
  func receive(_ passes: @escaping @Loop (String) -> Bool) {
    door.receives = { passes(String(decoding: $0, as: UTF8.self)) }
  }

  /// How often the bridge answered a challenge.
  var answers: Int { String(decoding: sent, as: UTF8.self).split(separator: "=\"O").count - 1 }

  /// Waits until the relay has pulsed so often.
  func pulsed(_ count: Int) async throws {
    try await door.wait { $0.pulses >= count }
    #expect(door.pulses == count)
  }
}

/// Runs a test in a house with a newer garage; the device is `garage`, and its link is held.
func withNewerGarage(
  key: String = NewerGarageRadio.keyText, session: String = "held",
  _ body: (House, NewerGarageRadio) async throws -> Void
) async throws {
  try await withBoard(
    {
      NewerGarageBoard(
        key: NewerGarageRadio.key, master: GarageRadio.master, pins: [GarageRadio.anna, GarageRadio.ben],
        closingInterval: .seconds(5), travelTime: .seconds(1))
    },
    device: """
      { name: Garage, kind: garage_door, link: { ble: "\(Air.boardAddress)", session: \(session) }, \
      options: { persons: [ { name: Anna, pin: \(GarageRadio.anna), owntracks: anna/phone }, \
      { name: Ben, pin: \(GarageRadio.ben) } ], open_as: Anna, master_pin: \(GarageRadio.master), \
      key: "\(key)", closing_interval: 5s, travel_time: 1s } }
      """, top: ["log_level: debug"]
  ) { house, garage in
    try await house.startWithGarage()
    if session == "held" { try await house.garage { $0.state("door") == "closed" } }
    try await body(house, garage)
  }
}
