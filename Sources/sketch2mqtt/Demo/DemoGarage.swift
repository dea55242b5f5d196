import EventLoop
import Simulation

/// A garage door over Bluetooth LE that closes after 10 s.
@Loop final class DemoGarage: DemoBoard {
  private let garage = GarageBoard(
    GarageSketch(master: "90909", pins: ["48151"], closingInterval: .seconds(10), travelTime: .seconds(4)))

  private static let address = "C0:DE:00:00:00:07"

  init(on radio: DemoRadio) { radio.add(garage, at: Self.address) }

  var title: String { "a garage door by Bluetooth LE at \(Self.address)" }

  var configuration: String {
    """
      - name: Garage
        kind: garage_door
        link: { ble: "\(Self.address)" }
        options:
          persons: [{ name: Anna, pin: "48151" }]
          open_as: Anna
          master_pin: "90909"
          closing_interval: 10s
          travel_time: 4s
    """
  }

  var examples: [DemoExample] { Self.examples }

  static let examples = [
    DemoExample(topic: "garage/door/set", payload: "OPEN"),
    DemoExample(topic: "garage/presence/anna/set", payload: "leave"),
    DemoExample(topic: "garage/presence/anna/set", payload: "enter"),
  ]

  func stop() { garage.powerOff() }
}
