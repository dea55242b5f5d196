import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// What hundreds of advertisements a second cost the program as it ships: `make build` puts it there.
@Suite(.serialized) struct `The release binary beside 50 beacons` {
  private static let path = Program.packageRoot.appending(path: ".build/release/sketch2mqtt").path
  private static let beacons = 50
  /// Of one core.
  private static let limit = 0.05

  @Test func `hears 500 advertisements a second for 5 percent of a core, and publishes little`() async throws
  {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.path),
      "\(Self.path) is missing: build it with `make build` (`make test` does)")
    #expect(LoopThread.started)
    let air = try await Meadow(beacons: Self.beacons)
    var options = House.Options()
    options.program = Self.path
    options.plugs = 0
    do {
      try await withHouse(
        options,
        configured: { text in
          text.top = ["bluetooth: { bus: \"\(air.bus.address)\" }"]
          text.devices = (0..<Self.beacons).map { number in
            "{ name: \"Tag \(number)\", kind: beacon, options: { uuid: \"\(Meadow.uuidText)\", major: 7, minor: \(number) } }"
          }
        },
        { house in
          try house.start()
          for number in 0..<Self.beacons {
            try await house.message(on: "tag_\(number)") { $0.text.contains(#""presence":"home""#) }
          }
          // What is made at first use is made by then.
          try await air.hears(2_500)
          let bridge = try house.bridge
          let before = try #require(Spent(by: bridge.pid))
          let heard = await air.heard
          let published = house.recorder.messages.count
          try await air.hears(10_000)
          let after = try #require(Spent(by: bridge.pid))
          let seconds = after.at - before.at
          let share = (after.processor - before.processor) / seconds
          let rate = Double(await air.heard - heard) / seconds
          let messages = Double(house.recorder.messages.count - published) / seconds
          print("\(rate) advertisements a second: \(share * 100) % of a core, \(messages) messages a second")
          #expect(rate > 350, "the simulation is too slow on this machine")
          #expect(share / rate * 500 < Self.limit, "\(share) of a core for \(rate) a second")
          #expect(messages < Double(Self.beacons))
        })
      await air.close()
    } catch {
      await air.close()
      throw error
    }
  }
}

/// Beacons that advertise ten times a second, and are received as in a room.
@Loop private final class Meadow {
  nonisolated let bus: PrivateBus
  private let bluez: SimulatedBlueZ

  nonisolated static let uuid = [UInt8](repeating: 0xAB, count: 16)
  nonisolated static let uuidText = "abababab-abab-abab-abab-abababababab"

  init(beacons: Int) async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address)
    for number in 0..<beacons {
      let last = String(number + 0x10, radix: 16)
      let tag = bluez.addIBeacon(
        at: "C0:DE:00:00:01:\(last)", uuid: Self.uuid, major: 7, minor: UInt16(number))
      tag.rssiDBm = Int16(-50 - number % 40)
      tag.rssiSwing = 6
    }
    try await bluez.start()
  }

  /// Advertisements that were told.
  var heard: Int { bluez.advertisementsHeard }

  struct TooSlow: Error {}

  /// Returns when so many more were told.
  func hears(_ count: Int) async throws {
    let end = bluez.advertisementsHeard + count
    let deadline = MonotonicTime.now.advanced(by: .seconds(120))
    while bluez.advertisementsHeard < end {
      guard MonotonicTime.now < deadline else { throw TooSlow() }
      try await Loop.sleep(for: .milliseconds(10))
    }
  }

  func close() async {
    bluez.stop()
    await bus.stop()
  }
}

/// Processor time of a process, and when it was looked at, in seconds.
private struct Spent {
  var processor: Double
  var at: Double

  init?(by pid: Int32) {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    processor = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    at = ProcessInfo.processInfo.systemUptime
  }
}
