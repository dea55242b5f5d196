import DeviceModel
import Testing

/// Inputs of every kind, in any order, whether or not they make sense.
struct RandomInputs {
  var properties: [Property]
  /// Pieces of traffic that make sense, to get further than noise gets.
  var phrases: [[UInt8]]
  var values: [Value]

  private static let keys: [PropertyKey] = ["power", "nonsense"]
  private static let roles: [LinkRole] = [.board, .board, .board, "other"]

  /// - Parameter sends: Numbers of sends that the link has not answered yet.
  func next(timers: [String], sends: [UInt64]) -> Input {
    let role = Self.roles.randomElement() ?? .board
    switch Int.random(in: 0..<20) {
    case 0: return .linkUp(role, maximumPacket: [nil, 20, 185].randomElement() ?? nil)
    case 1: return .linkDown(role, "gone")
    case 2...8: return .received(role, bytes())
    case 9...12: return .commands(CommandBatch(number: .random(in: 0...99), commands()))
    case 13: return .transmit(number: .random(in: 0...99), bytes())
    case 14: return .refresh
    case 15: return sends.randomElement().map { .sent($0) } ?? .refresh
    case 16: return sends.randomElement().map { .notSent($0, "why") } ?? .refresh
    case 17: return .timerFired("nonsense")
    default: return .timerFired(timers.randomElement() ?? "")
    }
  }

  private func bytes() -> [UInt8] {
    if Bool.random(), var phrase = phrases.randomElement() {
      if Int.random(in: 0..<4) == 0, !phrase.isEmpty {
        phrase[.random(in: 0..<phrase.count)] = .random(in: 0...255)
      }
      if Int.random(in: 0..<4) == 0 { phrase = Array(phrase.prefix(.random(in: 0...phrase.count))) }
      return phrase
    }
    let size = Int.random(in: 0..<40) == 0 ? 9000 : [0, 1, 3, 20, 300].randomElement() ?? 0
    return (0..<size).map { _ in .random(in: 0...255) }
  }

  private func commands() -> [Command] {
    (0..<Int.random(in: 0...3)).map { _ in
      let key = properties.randomElement()?.key ?? "nonsense"
      return Command(
        Int.random(in: 0..<8) == 0 ? "nonsense" : key, verb: Property.Verb.allCases.randomElement() ?? .set,
        values.randomElement() ?? .unknown)
    }
  }
}

/// What any adapter must keep whatever it is given.
struct AdapterInvariants {
  private(set) var handled = 0

  /// Feeds random inputs and time; records what breaks a rule that holds for all adapters.
  mutating func check(_ adapter: any Adapter, with inputs: RandomInputs, rounds: Int) {
    var talk = Conversation(adapter)
    var keys = Set(adapter.description.properties.map(\.key))
    var asked: [UInt64: Int] = [:]
    var sends: [UInt64] = []
    for _ in 0..<rounds {
      let input = inputs.next(timers: Array(talk.timers.keys), sends: sends)
      // A batch is refused as a whole, or each of its properties by itself.
      if case .commands(let batch) = input { asked[batch.number, default: 0] += max(1, batch.commands.count) }
      switch input {
      case .transmit(let number, _): asked[number, default: 0] += 1
      case .sent(let number), .notSent(let number, _, _): sends.removeAll { $0 == number }
      default: break
      }
      var outputs = talk.feed(input)
      if Bool.random() { outputs += talk.pass(.milliseconds(.random(in: 0...1500))) }
      handled += outputs.count
      sends += outputs.compactMap { if case .send(let send) = $0 { send.number } else { nil } }
      if outputs.count > 2000 { Issue.record("\(outputs.count) outputs for \(input)") }
      for output in outputs {
        switch output {
        case .describe(let description): keys = Set(description.properties.map(\.key))
        case .report(let key, _) where !keys.contains(key):
          Issue.record("a report of \(key), which is not described")
        default: break
        }
      }
      for (number, _, _) in outputs.rejections {
        asked[number, default: 0] -= 1
        if asked[number, default: 0] < 0 { Issue.record("batch \(number) was refused more often than asked") }
      }
      for case .setTimer(let name, let delay) in outputs where delay < .zero {
        Issue.record("timer \(name) is set into the past")
      }
      if talk.timers.count > 30 { Issue.record("\(talk.timers.count) timers") }
    }
  }
}
