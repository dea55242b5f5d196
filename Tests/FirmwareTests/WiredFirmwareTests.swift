import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// The newer sketches of the rover and the garage door where no radio is: at a serial port and on Wi-Fi.
@Suite(
  .enabled(
    if: Firmware.areThere("Rover-USB", "Rover-WIFI", "GarageDoor-USB", "GarageDoor-WIFI"), Firmware.notThere))
struct WiredFirmwareTests {
  init() { #expect(LoopThread.started) }

  enum Wire: String, CaseIterable, Sendable {
    case serial = "USB"
    case network = "WIFI"
  }

  /// What the simulator is told of the wire, and what the configuration says.
  @Loop private func wire(_ wire: Wire, in folder: TestSupport.TemporaryDirectory) -> (
    argument: [String], link: String
  ) {
    switch wire {
    case .serial: (["--uart", "0=pty:\(folder("tty"))"], "serial: \"\(folder("tty"))\"")
    case .network: network(FreePort.take())
    }
  }

  private nonisolated func network(_ port: UInt16) -> (argument: [String], link: String) {
    (["--net=230=\(port)"], "tcp: \"127.0.0.1:\(port)\"")
  }

  @Test(arguments: Wire.allCases) @Loop func `the rover's motors follow, and stand when the bridge ends`(
    wire: Wire
  ) async throws {
    let folder = try TestSupport.TemporaryDirectory()
    let (arguments, link) = self.wire(wire, in: folder)
    // A Wi-Fi shield has 4 and 7 for itself.
    let pins = wire == .network ? ("D2", "D3") : ("D4", "D7")
    let rover = try await FirmwareRover("Rover-\(wire.rawValue)", arguments, directionPins: pins)
    try await FirmwareHouse.with(
      """
      devices:
        - { name: Rover, kind: rover, link: { \(link) }, options: { form: lines, command_timeout: 1h } }
      """
    ) { house in
      try await house.message("rover") { $0.state("obstacle") == "OFF" && $0.state("throttle") == 0 }
      try await house.publish(#"{"direction":"backward","throttle":60,"steering":-50}"#, to: "rover/set")
      try await rover.motors(become: RoverMotors(isForward: false, left: 76, right: 153))
      try await house.publish("offline", to: "rover/driver/set")
      try await rover.stands()
      try await house.publish("FAST FORWARD", to: "rover/voice/set")
      try await rover.motors(become: RoverMotors(left: 204, right: 204))
      try await house.bridge.terminate()
      try await rover.stands()
    }
    await rover.simulator.powerOff()
  }

  @Test(arguments: Wire.allCases) @Loop func `the garage's relay pulses for the right answer, and once`(
    wire: Wire
  ) async throws {
    let folder = try TestSupport.TemporaryDirectory()
    let (arguments, link) = self.wire(wire, in: folder)
    let eeprom = try FirmwareGarage.eeprom(pins: [FirmwareGarage.anna], in: folder)
    let door = try await Firmware.start(
      "GarageDoor-\(wire.rawValue)", ["--paused", "--eeprom", eeprom] + arguments)
    // The contact: closed, and open from the pulse on.
    try await door.set("D7", false)
    let relay = Inbox<PinChange>("the relay")
    try await door.watch("D8") { level, time in
      relay.append(PinChange(level: level, after: time))
      if level { Task { @Loop in try await door.set("D7", true) } }
    }
    try await door.ask("resume")
    try await FirmwareHouse.with(
      """
      devices:
        - name: Garage
          kind: garage_door
          link: { \(link) }
          options:
            persons: [{ name: Anna, pin: "\(FirmwareGarage.anna)" }]
            open_as: Anna
            key: "\(FirmwareGarage.key)"
      """
    ) { house in
      try await house.message("garage") { $0.state("door") == "closed" && $0.state("closing_interval") == 5 }
      let seen = house.seen
      try await house.publish("OPEN", to: "garage/door/set")
      try await house.message("garage/event", from: seen) { $0.text.contains("\"opened\"") }
      try await relay.level(true)
      try await relay.level(false)
      try await house.message("garage", from: seen) { $0.state("door") == "opening" }
      let again = house.seen
      try await house.publish("OPEN", to: "garage/door/set")
      try await house.message("bridge/main/event", from: again) { $0.text.contains("not_now") }
    }
    await door.powerOff()
  }
}
