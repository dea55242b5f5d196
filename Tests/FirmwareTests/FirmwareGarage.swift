import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The garage door's sketch as an UNO runs it, with an EEPROM that outlives power cuts, a door that is open or closed
/// at once, and somebody who listens to its radio.
@Loop final class FirmwareGarage {
  nonisolated static let address = "C0:DE:00:00:00:07"
  /// As the sketch was compiled with them.
  nonisolated static let master = Firmware.files.masterPIN
  nonisolated static let key = Firmware.files.key
  nonisolated static let anna = "48151"

  let tap: RadioTap
  let board: SimulatedBoard
  nonisolated let bus: PrivateBus
  /// What the relay did since the power came last.
  private(set) var relay = Inbox<PinChange>("the relay")
  private(set) var simulator: FirmwareSimulator
  private let eeprom: String
  private var isOpen = false

  /// - Parameter pins: Behind the master's, in their places from 1 on.
  init(_ sketch: String = "GarageDoor", pins: [String], on air: FirmwareAir, in folder: TemporaryDirectory)
    async throws
  {
    eeprom = try Self.eeprom(pins: pins, in: folder)
    bus = air.bus
    tap = RadioTap(FirmwareRadio(name: nil))
    simulator = try await Self.start(sketch, eeprom)
    board = air.bluez.add(tap, at: Self.address)
    try await furnish()
  }

  /// Writes what an EEPROM holds: `pins` in their places from 1 on, and that the door is closed after 5 s.
  ///
  /// - Returns: The file.
  nonisolated static func eeprom(pins: [String], in folder: TemporaryDirectory) throws -> String {
    var memory = [UInt8](repeating: 0xFF, count: 1024)
    for (index, pin) in pins.enumerated() {
      memory.replaceSubrange((6 * (index + 1))..<(6 * (index + 2)), with: [1] + Array(pin.utf8))
    }
    memory.replaceSubrange(140..<142, with: [5, 0])
    let eeprom = folder("garage.eeprom")
    try Data(memory).write(to: URL(filePath: eeprom))
    return eeprom
  }

  private static func start(_ sketch: String, _ eeprom: String) async throws -> FirmwareSimulator {
    try await Firmware.start(sketch, ["--paused", "--uart", "0=tcp:0", "--eeprom", eeprom])
  }

  private func furnish() async throws {
    relay = Inbox("the relay")
    try await simulator.set("D7", isOpen)
    try await simulator.watch("D8") { [weak self, relay, simulator] level, time in
      relay.append(PinChange(level: level, after: time))
      guard level, let self else { return }
      isOpen.toggle()
      Task { @Loop [isOpen] in try await simulator.set("D7", isOpen) }
    }
    try await simulator.ask("resume")
    try await tap.radio.join(simulator)
  }

  /// The power goes, in the middle of whatever the board does.
  func cutPower() async {
    tap.radio.leave()
    await simulator.powerOff()
  }

  func restorePower(_ sketch: String = "GarageDoor") async throws {
    simulator = try await Self.start(sketch, eeprom)
    try await furnish()
  }

  /// Says a packet to the board, and nothing for long enough for it to be one.
  func say(packet: String) async throws {
    tap.say(packet: packet)
    try await pass(.milliseconds(100))
  }

  /// Lets the board live for so long.
  func pass(_ time: Duration) async throws {
    let end = try await simulator.uptime() + time
    while try await simulator.uptime() < end { try await Loop.sleep(for: .milliseconds(10)) }
  }

  /// How often the relay was closed.
  var pulses: Int { relay.all.count(where: \.level) }

  /// Awaits the relay's pulse number `count`, and that it was as long as an opener's button takes it.
  func pulse(_ count: Int, at location: Testing.SourceLocation = #_sourceLocation) async throws {
    let rise = try await relay.level(true, from: 2 * count - 2)
    let fall = try await relay.level(false, from: 2 * count - 1)
    #expect(fall.after - rise.after >= .milliseconds(299), sourceLocation: location)
    #expect(fall.after - rise.after < .milliseconds(320), sourceLocation: location)
    #expect(relay.count == 2 * count, sourceLocation: location)
  }

  /// The places of the PINs in the EEPROM, as the sketch lays them out.
  var pins: [Int: String] {
    get async throws {
      let digits = try await simulator.ask("eeprom read 0 120")
      let bytes = stride(from: 0, to: digits.count, by: 2).map { at in
        UInt8(digits.dropFirst(at).prefix(2), radix: 16) ?? 0
      }
      var pins: [Int: String] = [:]
      for place in 1..<20 where bytes[6 * place] == 1 {
        pins[place] = String(decoding: bytes[(6 * place + 1)..<(6 * place + 6)], as: UTF8.self)
      }
      return pins
    }
  }
}

/// Runs `body` in a house with the garage, once it is online.
///
/// - Parameters:
///   - pins: What the board keeps at first.
///   - options: More of the device's.
@Loop func withFirmwareGarage(
  _ sketch: String = "GarageDoor", pins: [String] = [FirmwareGarage.anna], closesAfter seconds: Int = 5,
  options: String = "", _ body: @Loop (FirmwareHouse, FirmwareGarage) async throws -> Void
) async throws {
  let folder = try TemporaryDirectory()
  try await FirmwareAir.with { air in
    let garage = try await FirmwareGarage(sketch, pins: pins, on: air, in: folder)
    let configuration = FirmwareGarage.configuration(options, closesAfter: seconds, on: air.bus)
    try await FirmwareHouse.with(configuration) { house in
      try await house.message("garage/availability") { $0.text == "online" }
      try await body(house, garage)
    }
    await garage.cutPower()
  }
}

extension FirmwareGarage {
  /// Anna's PIN is the board's; Ben's is not.
  nonisolated static func configuration(
    _ options: String, closesAfter seconds: Int = 5, on bus: PrivateBus
  ) -> String {
    """
    bluetooth: { bus: "\(bus.address)" }
    log_level: debug
    devices:
      - name: Garage
        kind: garage_door
        link: { ble: "\(address)", session: held }
        options:
          persons: [{ name: Anna, pin: "\(anna)" }, { name: Ben, pin: "99999" }]
          open_as: Anna
          master_pin: "\(master)"
          closing_interval: \(seconds)s
          travel_time: 1s
          \(options)
    """
  }
}
