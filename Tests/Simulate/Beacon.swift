import EventLoop
import Simulation

/// An iBeacon: UUID e2c56db5-dffb-48d2-b060-d0f5a71096e0, major 1, minor 2, −59 dBm at 1 m.
///
///     rssi DBM                   as strongly as it is heard
///     battery PERCENT            in the battery service's data
///     power off | on             out of reach, and back
@Loop final class Beacon: RadioBoard {
  let board: SimulatedBoard

  private static let uuid: [UInt8] = [
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
  ]

  init(_ name: String, radio: Radio) {
    board = radio.add(BeaconTag())
    board.isConnectable = false
    board.manufacturerData = [0x004C: [0x02, 0x15] + Self.uuid + [0, 1, 0, 2, 0xC5]]
  }

  var place: String { "beacon \(board.address)" }

  func perform(_ words: [String]) throws(Refused) {
    if board.perform(power: words) { return }
    guard words.count == 2, let number = Int16(words[1]) else {
      throw Refused(reason: "rssi DBM, battery PERCENT, or power")
    }
    switch words[0] {
    case "rssi": board.rssiDBm = number
    case "battery": board.serviceData = [SimulatedService.assigned("180f"): [UInt8(clamping: number)]]
    default: throw Refused(reason: "rssi DBM, battery PERCENT, or power")
    }
  }
}
