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
    let meadow = try await Meadow(beacons: Self.beacons)
    var options = House.Options()
    options.program = Self.path
    options.plugs = 0
    let devices = (0..<Self.beacons).map { number in
      "{ name: \"Tag \(number)\", kind: beacon, options: { uuid: \"\(Meadow.uuidText)\", major: 7, minor: \(number) } }"
    }
    try await withHouse(on: meadow.air, options, devices: devices) { house in
      try house.start()
      for number in 0..<Self.beacons {
        try await house.message(on: "tag_\(number)") { $0.text.contains(#""presence":"home""#) }
      }
      // What is made at first use is made by then.
      try await meadow.hears(2_500)
      let bridge = try house.bridge
      let before = try #require(Spent(by: bridge.pid))
      let heard = await meadow.heard
      let published = house.recorder.messages.count
      try await meadow.hears(10_000)
      let after = try #require(Spent(by: bridge.pid))
      let seconds = after.at - before.at
      let share = (after.processor - before.processor) / seconds
      let rate = Double(await meadow.heard - heard) / seconds
      let messages = Double(house.recorder.messages.count - published) / seconds
      print("\(rate) advertisements a second: \(share * 100) % of a core, \(messages) messages a second")
      #expect(rate > 350, "the simulation is too slow on this machine")
      #expect(share / rate * 500 < Self.limit, "\(share) of a core for \(rate) a second")
      #expect(messages < Double(Self.beacons))
    }
  }
}

/// Beacons that advertise ten times a second, and are received as in a room.
@Loop private final class Meadow {
  nonisolated let air: Air

  nonisolated static let uuid = [UInt8](repeating: 0xAB, count: 16)
  nonisolated static let uuidText = "abababab-abab-abab-abab-abababababab"

  init(beacons: Int) async throws {
    air = try await Air(timing: SimulatedBlueZTiming())
    for number in 0..<beacons {
      let last = String(number + 0x10, radix: 16)
      let tag = air.bluez.addIBeacon(
        at: "C0:DE:00:00:01:\(last)", uuid: Self.uuid, major: 7, minor: UInt16(number))
      tag.rssiDBm = Int16(-50 - number % 40)
      tag.rssiSwing = 6
    }
  }

  /// Advertisements that were told.
  var heard: Int { air.bluez.advertisementsHeard }

  /// Returns when so many more were told.
  func hears(_ count: Int) async throws {
    let end = heard + count
    try await air.bluez.wait(atMost: .seconds(120)) { $0.advertisementsHeard >= end }
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
