import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// The pet door's sketch as an UNO runs it, its latch following the servo.
@Suite(.enabled(if: Firmware.areThere("PetDoor", "PetDoor-USB"), Firmware.notThere))
struct PetDoorFirmwareTests {
  init() { _ = LoopThread.started }

  private static let address = "C0:DE:00:00:00:01"

  /// Light and 20 °C; the servo's pin is high while it locks, and the latch switch is closed to ground while open.
  @Loop private func furnish(_ door: FirmwareSimulator) async throws {
    try await door.set("D5", true)
    try await door.set("D6", true)
    try await setTemperature(20, of: door)
    try await door.set(analog: 0, reading: 900)
    try await door.set("D4", try await door.level(of: "D3"))
    try await door.watch("D3") { isLocking, _ in
      Task { @Loop in try await door.set("D4", isLocking) }
    }
  }

  @Loop private func setTemperature(_ degrees: Double, of door: FirmwareSimulator) async throws {
    try await door.set(analog: 1, reading: Int((degrees + 50) * 2))
  }

  @Test @Loop func `over Bluetooth LE darkness and MQTT lock, light and MQTT unlock`() async throws {
    let door = try await Firmware.start("PetDoor", ["--uart", "0=tcp:0"])
    try await furnish(door)
    let radio = FirmwareRadio(name: "S2MDoor")
    let bus = try await PrivateBus.start()
    let bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    bluez.add(radio, at: Self.address)
    try await bluez.start()
    try await radio.join(door)
    try await FirmwareHouse.with(
      """
      bluetooth: { bus: "\(bus.address)" }
      devices:
        - { name: Door, kind: pet_door, link: { ble: "\(Self.address)" } }
      """
    ) { house in
      try await house.message("door") {
        $0.state("lock") == "UNLOCKED" && $0.state("latch") == "ON" && $0.state("temperature") == 20
      }

      var seen = house.seen
      try await setTemperature(21.5, of: door)
      try await house.message("door", from: seen) { $0.state("temperature") == 21.5 }

      seen = house.seen
      try await door.set(analog: 0, reading: 300)
      try await house.message("door", from: seen) {
        $0.state("lock") == "LOCKED" && $0.state("latch") == "OFF"
      }
      #expect(try await door.level(of: "D3"))

      seen = house.seen
      try await door.set(analog: 0, reading: 900)
      try await house.message("door", from: seen) { $0.state("lock") == "UNLOCKED" }

      seen = house.seen
      try await house.publish("LOCK", to: "door/lock/set")
      try await house.message("door", from: seen) {
        $0.state("lock") == "LOCKED" && $0.state("manual_lock") == "ON"
      }
      #expect(try await door.level(of: "D3"))

      seen = house.seen
      try await house.publish("OFF", to: "door/manual_lock/set")
      try await house.message("door", from: seen) {
        $0.state("lock") == "UNLOCKED" && $0.state("manual_lock") == "OFF"
      }
      #expect(try await !door.level(of: "D3"))
    }
    await door.powerOff()
    radio.leave()
    bluez.stop()
    await bus.stop()
  }

  @Test @Loop func `at a serial port it locks, and is missed when its power goes`() async throws {
    let door = try await Firmware.start("PetDoor-USB", ["--uart", "0=pty"])
    try await furnish(door)
    let device = try #require(door.serialDevice)
    try await FirmwareHouse.with(
      """
      devices:
        - { name: Door, kind: pet_door, link: { serial: "\(device)" } }
      """
    ) { house in
      try await house.message("door") { $0.state("lock") == "UNLOCKED" && $0.state("temperature") == 20 }
      var seen = house.seen
      try await house.publish("LOCK", to: "door/lock/set")
      try await house.message("door", from: seen) { $0.state("lock") == "LOCKED" }
      #expect(try await door.level(of: "D3"))
      seen = house.seen
      await door.powerOff()
      try await house.message("door/availability", from: seen) { $0.text == "offline" }
    }
    await door.powerOff()
  }
}
