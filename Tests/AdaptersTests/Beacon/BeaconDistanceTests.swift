import DeviceModel
import Foundation
import TestSupport
import Testing

@testable import Adapters

struct `A beacon's distance` {
  @Test(arguments: [(-59, 1.0), (-53, 0.5), (-65, 2.0), (-69, 3.2), (-79, 10), (-99, 100), (-125, 200)])
  func `steady readings give the distance of the law`(rssi: Int, metres: Double) throws {
    var keys = Keys()
    for _ in 0..<20 {
      keys.hear(rssi)
      keys.pass(.seconds(1))
    }
    #expect(keys.talk.state["distance"] == .number(metres))
  }

  @Test func `through walls the exponent is larger, and a measured power replaces the beacon's`() {
    var keys = Keys(["exponent": 4])
    keys.hear(-99)
    #expect(keys.talk.state["distance"] == 10.0)
    keys = Keys(["measured_power": -69])
    keys.hear(-69)
    #expect(keys.talk.state["distance"] == 1.0)
  }

  @Test func `without a figure for the power there is no distance`() {
    var keys = Keys()
    var bytes = Keys.iBeacon
    bytes[22] = 0
    keys.hear(-60, manufacturer: [0x004C: bytes])
    #expect(keys.talk.state["presence"] == "home")
    #expect(keys.talk.state["distance"] == .unknown)
    #expect(keys.talk.state["proximity"] == "unknown")
    #expect(keys.talk.state["rssi"] == -60)
  }

  @Test(arguments: [127, 126, 21, 0, -128, 1000, Int.min])
  func `a strength that cannot be one is none`(reading: Int) {
    var keys = Keys()
    keys.hear(reading)
    #expect(keys.talk.state["presence"] == "home")
    #expect(keys.talk.state["rssi"] == .unknown && keys.talk.state["distance"] == .unknown)
    #expect(keys.talk.state["proximity"] == "unknown")
    keys.pass(.seconds(1))
    keys.hear(-59)
    keys.pass(.seconds(1))
    keys.hear(reading)
    #expect(keys.talk.state["rssi"] == -59 && keys.talk.state["distance"] == 1.0)
  }

  @Test(arguments: [0x00, 0x01, 0x7F, 0x80] as [UInt8])
  func `a measured power that cannot be one gives no distance`(power: UInt8) {
    var keys = Keys()
    for (company, data) in [(0x004C, Keys.iBeacon), (0x0118, Keys.altBeacon), (0x004C, Keys.altBeacon)] {
      var bytes = data
      bytes[22] = power
      keys.hear(-60, manufacturer: [UInt16(company): bytes])
      keys.pass(.seconds(1))
    }
    #expect(keys.talk.state["presence"] == "home" && keys.talk.state["rssi"] == -60)
    #expect(keys.talk.state["distance"] == .unknown && keys.talk.state["proximity"] == "unknown")
  }

  @Test func `a strength that was told long ago says nothing of the distance`() {
    var keys = Keys()
    keys.hear(-59)
    for _ in 0..<10 {
      keys.pass(.seconds(3))
      keys.hear(nil)
    }
    #expect(keys.talk.state["distance"] == 1.0)
    keys.pass(.seconds(1))
    keys.hear(nil)
    #expect(keys.talk.state["distance"] == .unknown && keys.talk.state["rssi"] == .unknown)
    #expect(keys.talk.state["proximity"] == "unknown" && keys.talk.state["presence"] == "home")
    keys.pass(.seconds(1))
    keys.hear(-69)
    #expect(keys.talk.state["proximity"] == "far")
  }

  @Test func `readings that swing by ten decibels give a steady distance`() {
    var random = Noise(seed: 7)
    for metres in [0.3, 1.0, 2.0, 5.0, 12.0] {
      var keys = Keys()
      var off = 0
      for round in 0..<600 {
        keys.hear(random.reading(at: metres))
        keys.pass(.milliseconds(200))
        guard round > 30, case .number(let told)? = keys.talk.state["distance"] else { continue }
        if told > metres * 2 || told < metres / 2 { off += 1 }
      }
      #expect(off < 6, "\(off) of 570 readings at \(metres) m were off by a factor of two")
    }
  }

  @Test func `who walks away is followed within seconds`() throws {
    var random = Noise(seed: 8)
    var keys = Keys()
    for _ in 0..<100 {
      keys.hear(random.reading(at: 1))
      keys.pass(.milliseconds(200))
    }
    for _ in 0..<50 {
      keys.hear(random.reading(at: 8))
      keys.pass(.milliseconds(200))
    }
    guard case .number(let metres)? = keys.talk.state["distance"] else {
      Issue.record("no distance")
      return
    }
    #expect((4...16).contains(metres))
    #expect(keys.talk.state["proximity"] == "far")
  }

  @Test func `at a bound the proximity does not go to and fro`() {
    var random = Noise(seed: 9)
    for metres in [0.5, 3.0] {
      var keys = Keys()
      for _ in 0..<2000 {
        keys.hear(random.reading(at: metres))
        keys.pass(.milliseconds(200))
      }
      let changes = keys.talk.changes.count { $0.key == "proximity" }
      #expect(changes <= 12, "\(changes) changes in 400 s at \(metres) m")
    }
  }

  @Test func `the bounds are the owner's`() {
    var keys = Keys(["immediate": 1.5, "near": 5])
    keys.hear(-59)
    #expect(keys.talk.state["proximity"] == "immediate")
    keys = Keys(["immediate": 0.1, "near": 0.5])
    keys.hear(-59)
    #expect(keys.talk.state["proximity"] == "far")
  }

  @Test func `ten advertisements a second are at most one report a second, and only of what matters`() {
    var random = Noise(seed: 10)
    var keys = Keys()
    var reports: [Duration] = []
    for _ in 0..<1000 {
      let outputs = keys.hear(random.reading(at: 2)) + keys.pass(.milliseconds(100))
      if outputs.contains(where: { if case .report = $0 { true } else { false } }) {
        reports.append(keys.talk.now.uptime)
      }
    }
    for (earlier, later) in zip(reports, reports.dropFirst()) {
      #expect(later - earlier >= .milliseconds(900))
    }
    #expect(reports.count < 40, "of a beacon that lies still")

    keys = Keys()
    let steady = (0..<100).flatMap { _ in keys.hear(-59) + keys.pass(.seconds(1)) }
    #expect(steady.count { if case .report("distance", _) = $0 { true } else { false } } == 1)
  }

  @Test func `what came too soon after a report is told when its time is over`() {
    var keys = Keys()
    keys.hear(-59)
    keys.pass(.milliseconds(100))
    for _ in 0..<20 { keys.hear(-89) }
    #expect(keys.talk.state["proximity"] == "near")
    keys.pass(.milliseconds(900))
    #expect(keys.talk.state["proximity"] == "far")
  }

  @Test func `of a group the nearest counts, and one that falls silent does not count any more`() {
    var keys = Keys(["major": 1])
    func tag(_ minor: UInt8) -> [UInt16: [UInt8]] {
      var bytes = Keys.iBeacon
      bytes[21] = minor
      return [0x004C: bytes]
    }
    for _ in 0..<10 {
      keys.hear(-59, manufacturer: tag(1))
      keys.hear(-79, manufacturer: tag(2))
      keys.pass(.seconds(1))
    }
    #expect(keys.talk.state["distance"] == 1.0)
    for _ in 0..<32 {
      keys.hear(-79, manufacturer: tag(2))
      keys.pass(.seconds(1))
    }
    #expect(keys.talk.state["distance"] == 10.0)
    #expect(keys.talk.state["presence"] == "home")
    for number in 0..<200 { keys.hear(-40, manufacturer: tag(UInt8(number))) }
    keys.pass(.seconds(31))
    #expect(keys.names == ["left_behind"])
  }

  @Test func `a wrong option is named`() {
    for (wrong, word) in [
      (["uuid": "180F"], "uuid"), (["namespace": "0102"], "namespace"), (["major": 1], "uuid"),
      (["uuid": .text(Keys.uuid), "namespace": "00010203040506070809"], "namespace"),
      (["uuid": .text(Keys.uuid), "instance": "aabbccddeeff"], "instance"),
      (["namespace": "00010203040506070809", "major": 1], "major"),
      (["uuid": .text(Keys.uuid), "immediate": 3, "near": 2], "immediate"),
      (["uuid": .text(Keys.uuid), "major": 65536], "major"),
    ] as [(Value, String)] {
      var problems: [ConfigurationProblem] = []
      let options = Beacon.kind.options.check(LocatedValue(wrong), path: "options", problems: &problems)
      if problems.isEmpty { _ = Beacon.kind.makeAdapter(options, &problems) }
      #expect(problems.contains { "\($0)".contains(word) }, "\(wrong): \(problems)")
    }
  }
}

/// Strengths as a room makes them: a normal spread of 5 dB about the law.
private struct Noise {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed) }

  mutating func reading(at metres: Double) -> Int {
    let law = -59 - 20 * log10(metres)
    let swing = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    return Int((law + 5 * swing).rounded())
  }
}
