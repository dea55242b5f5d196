import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `How strongly a board is heard` {
  private static let tag =
    "{ name: Tag, kind: beacon, options: { uuid: abababab-abab-abab-abab-abababababab, silence: 5m } }"
  private static let address = "C0:DE:00:00:00:21"
  private static let bench = "{ name: Bench, kind: uart, link: { ble: \"\(address)\" }, rssi: true }"

  @Test func `is told of a board that BlueZ had heard before the bridge knew of it`() async throws {
    try await withAir([Self.tag]) { lodge, air in
      let board = air.bluez.add(RawUARTBoard(name: "Bench"), at: Self.address)
      board.rssiDBm = -48
      air.bluez.addIBeacon(
        at: "40:00:00:00:00:01", uuid: [UInt8](repeating: 0xAB, count: 16), major: 1, minor: 2)
      try await lodge.recorder.message(on: "sketch2mqtt/tag") { $0.state("presence") == "home" }
      // Boards are heard in turn: so was this one, and never again.
      board.isAdvertising = false
      lodge.text.devices.append(Self.bench)
      #expect(lodge.reload() == nil)
      try await lodge.recorder.message(on: "sketch2mqtt/bench") { $0.state("rssi") == -48 }
    }
  }
}
