import TestSupport

/// What goes wrong and what is asked for, and when: all of it follows from the seed.
struct StormSchedule: Hashable, Sendable {
  let seed: UInt64
  /// Whether the broker keeps its retained messages when it dies.
  let persistence: Bool
  /// Each fault that begins ends, at the storm's end at the latest.
  let steps: [Step]

  struct Step: Hashable, Sendable {
    var at: Duration
    var action: Action
  }

  enum Action: Hashable, Sendable {
    case begin(StormFault)
    case end(StormFault)
    case command(StormCommand, isRetained: Bool)
  }

  /// - Parameter plugs: 1 at least.
  init(seed: UInt64, length: Duration, plugs: Int) {
    self.seed = seed
    var random = SeededRandom(seed)
    persistence = Bool.random(using: &random)
    // One process that lives through all shows what it loses; one that dies shows what it forgets.
    let killsBridge = !seed.isMultiple(of: 2)
    var steps: [Step] = []
    for party in [.broker, .bridge, .radio, .disk, .drone] + (0..<plugs).map(StormFault.Party.plug) {
      var time = Self.pause(0...2000, &random)
      while time < length {
        let fault = party.fault(killingBridge: killsBridge, &random)
        let end = min(length, time + Self.pause(50...3000, &random))
        steps += [Step(at: time, action: .begin(fault)), Step(at: end, action: .end(fault))]
        time = end + Self.pause(200...4000, &random)
      }
    }
    steps += Self.commands(until: length, plugs: plugs, &random)
    self.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private static func commands(
    until length: Duration, plugs: Int, _ random: inout SeededRandom
  ) -> [Step] {
    var steps: [Step] = []
    var time = pause(0...300, &random)
    while time < length {
      let plug = Int.random(in: 0..<plugs, using: &random)
      let command: StormCommand =
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: .activation(plug: plug, number: steps.count)
        case 3...5: .text(number: steps.count)
        case 6: .power(plug: plug, isOn: .random(using: &random))
        case 7: .lock(.random(using: &random))
        case 8: .takeOff
        default: .land
        }
      let isRetained = Int.random(in: 0..<8, using: &random) == 0
      steps.append(Step(at: time, action: .command(command, isRetained: isRetained)))
      time += pause(20...400, &random)
    }
    return steps
  }

  private static func pause(_ range: ClosedRange<Int>, _ random: inout SeededRandom) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }
}
