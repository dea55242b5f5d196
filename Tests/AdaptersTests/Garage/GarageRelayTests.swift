import Foundation
import Testing

@testable import Adapters

struct `The relay of the garage door` {
  /// A failure says with which `GARAGE_SEED` it is seen again.
  @Test(arguments: 0..<20)
  func `pulses only for who came home to a closed door, or for a command`(block: Int) throws {
    let asked = ProcessInfo.processInfo.environment["GARAGE_SEED"].flatMap { UInt64($0) }
    let first = asked ?? 1
    var pulses = 0
    for offset in 0..<(asked == nil ? 100 : block == 0 ? 1 : 0) {
      let seed = first &+ UInt64(block * 100 + offset)
      var world = try GarageWorld(seed: seed)
      try world.run(steps: 50)
      pulses += world.pulses
      if let problem = world.wrong.first {
        Issue.record("GARAGE_SEED=\(seed): \(problem)")
      }
    }
    #expect(pulses > 300 || asked != nil, "else nothing was tried")
  }

  @Test func `the oracle sees what is wrong`() {
    func delivery(_ kind: GarageOracle.Kind, at: Double, dated: Double? = nil, isFresh: Bool = true)
      -> GarageOracle.Delivery
    { GarageOracle.Delivery(person: "ben", kind: kind, at: at, dated: dated ?? at, isFresh: isFresh) }
    func pulse(after deliveries: [GarageOracle.Delivery], at now: Double) -> String? {
      var oracle = GarageOracle()
      for delivery in deliveries { oracle.deliver(delivery) }
      return oracle.pulse(by: "ben", commander: "anna", at: now)
    }
    #expect(pulse(after: [delivery(.armed, at: 0), delivery(.enterBeacon, at: 100)], at: 101) == nil)
    #expect(pulse(after: [], at: 5) != nil)
    #expect(pulse(after: [delivery(.enterBeacon, at: 100)], at: 101) != nil)
    #expect(pulse(after: [delivery(.armed, at: 0), delivery(.enterBeacon, at: 100)], at: 120) != nil)
    #expect(
      pulse(after: [delivery(.armed, at: 0, isFresh: false), delivery(.enterBeacon, at: 100)], at: 101) != nil
    )
    #expect(
      pulse(
        after: [delivery(.armed, at: 0), delivery(.enterBeacon, at: 300, dated: 100, isFresh: false)], at: 301
      )
        != nil)
    #expect(
      pulse(
        after: [
          delivery(.armed, at: 0), delivery(.enterBeacon, at: 10), delivery(.enterBeacon, at: 90, dated: 10),
        ],
        at: 91) != nil, "twice the same arrival")
    #expect(
      pulse(
        after: [
          delivery(.enterBeacon, at: 10), delivery(.armed, at: 20, dated: 5), delivery(.enterBeacon, at: 90),
        ],
        at: 91) != nil, "a leaving of before")
    var oracle = GarageOracle()
    oracle.command(at: 0)
    #expect(oracle.pulse(by: "anna", commander: "anna", at: 1) == nil)
    oracle.command(at: 30)
    #expect(oracle.pulse(by: "anna", commander: "anna", at: 31) != nil, "the door is open")
  }
}
