import DeviceModel
import JSON
import TestSupport
import Testing

@testable import Adapters

/// A garage door amid random messages, restarts and losses, watched by an oracle.
struct GarageWorld {
  private enum Happening {
    /// A message with a date, on one of the ways; `copy` of one that came before.
    case message(person: String, kind: GarageOracle.Kind, dated: Int, way: Way)
    case plain(person: String, kind: GarageOracle.Kind)
    case nonsense
    case retained(person: String, kind: GarageOracle.Kind, dated: Int)
    case command
    case linkUp
    case linkFails
    case linkEnds
    case answer(number: UInt64, Fate)
    case restart
    case broker(Bool)
  }

  private enum Way: CaseIterable { case transition, location, presence }
  private enum Fate {
    case sent, refused, lost
    /// Answered with an error that proves nothing.
    case doubted
  }

  private var random: SeededRandom
  private var talk: Conversation
  private var memory = Value.unknown
  private var oracle = GarageOracle()
  private var queue: [(at: Duration, Happening)] = []
  private var lastAnswer: UInt64 = 0
  private(set) var wrong: [String] = []
  private(set) var pulses = 0

  private static let persons = ["anna": GarageTalk.anna, "ben": GarageTalk.ben]

  init(seed: UInt64) throws {
    random = SeededRandom(seed)
    talk = try Self.newTalk(.unknown, at: nil)
  }

  private static let settings: GarageSettings? = {
    var problems: [ConfigurationProblem] = []
    let options = GarageSettings.schema.check(
      LocatedValue(GarageTalk.options), path: "options", problems: &problems)
    return GarageSettings(options, &problems)
  }()

  private static func newTalk(_ memory: Value, at now: Moment?) throws -> Conversation {
    var talk = Conversation(GarageDoor(try #require(settings)))
    if let now { talk.now = now }
    talk.feed(.remembered(memory))
    return talk
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      plan()
      queue.sort { $0.at < $1.at }
      let pause = Duration.milliseconds(Int64.random(in: 0...90_000, using: &random))
      try live(until: talk.now.uptime + pause)
    }
  }

  private var now: Double {
    let parts = talk.now.uptime.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }

  // MARK: what may happen

  private mutating func plan() {
    let person = Bool.random(using: &random) ? "anna" : "ben"
    let kind: GarageOracle.Kind = Bool.random(using: &random) ? .enterBeacon : .armed
    let today = Int(talk.now.wall.seconds)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9:
      let dated = today + Int.random(in: -20...2, using: &random)
      let way = Way.allCases.randomElement(using: &random) ?? .transition
      let copies = [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
      for _ in 0..<copies {
        let delay = [0, 0, 0, 5, 60, 119, 121, 400].randomElement(using: &random) ?? 0
        add(.message(person: person, kind: kind, dated: dated, way: way), after: delay)
      }
    case 9: add(.message(person: person, kind: kind, dated: today + 31, way: .transition))
    case 10: add(.plain(person: person, kind: kind))
    case 11: add(.nonsense)
    case 12, 13: add(.retained(person: person, kind: kind, dated: today))
    case 14, 15: add(.command, after: Int.random(in: 0...3, using: &random))
    case 16: add(.linkEnds)
    case 17, 18: add(.restart)
    default:
      add(.broker(false))
      add(.broker(true), after: 30)
    }
  }

  private mutating func add(_ happening: Happening, after seconds: Int = 0) {
    let jitter = Duration.milliseconds(Int64.random(in: 0...999, using: &random))
    queue.append((talk.now.uptime + .seconds(seconds) + jitter, happening))
  }

  /// Timer by timer and happening by happening, so that each has its time, be it one that another brought about.
  private mutating func live(until end: Duration) throws {
    while true {
      queue.sort { $0.at < $1.at }
      if let next = queue.first, next.at <= talk.now.uptime {
        queue.removeFirst()
        try take(next.1)
      } else if talk.now.uptime < end {
        let due = min(end, queue.first?.at ?? end)
        let next = min(due, max(talk.now.uptime + .milliseconds(1), talk.timers.values.min() ?? due))
        follow(talk.pass(next - talk.now.uptime))
      } else {
        return
      }
    }
  }

  private mutating func take(_ happening: Happening) throws {
    switch happening {
    case .message(let person, let kind, let dated, let way): deliver(person, kind, dated, way)
    case .plain(let person, let kind):
      note(person, kind, dated: nil)
      feed(command(GarageProperty.presence(person), kind == .armed ? "leave" : "enter"))
    case .nonsense: nonsense()
    case .retained(let person, let kind, let dated):
      feed(.message(message(person, kind, dated, .transition, isRetained: true)))
    case .command:
      oracle.command(at: now)
      feed(command("door", "OPEN"))
    case .linkUp: if !talk.isUp { follow(talk.connect()) }
    case .linkFails: if !talk.isUp { feed(.linkDown(.board, "not reached")) }
    case .linkEnds: if talk.isUp { follow(talk.disconnect("lost")) }
    case .answer(let number, let fate): answer(number, fate)
    case .restart: try restart()
    case .broker(let isConnected): feed(.broker(isConnected: isConnected))
    }
  }

  // MARK: messages

  private mutating func deliver(_ person: String, _ kind: GarageOracle.Kind, _ dated: Int, _ way: Way) {
    if Double(dated) <= wall + 30 { note(person, kind, dated: dated, isPosition: way == .location) }
    guard way != .presence else {
      let value: Value = [
        "region": kind == .armed ? "home" : "beacon", "event": kind == .armed ? "leave" : "enter",
        "tst": .integer(dated),
      ]
      return feed(command(GarageProperty.presence(person), value))
    }
    feed(.message(message(person, kind, dated, way)))
  }

  private var wall: Double { Double(talk.now.wall.milliseconds) / 1000 }

  /// To the oracle, in its own clock.
  private mutating func note(
    _ person: String, _ kind: GarageOracle.Kind, dated: Int?, isPosition: Bool = false
  ) {
    let age = dated.map { max(0, wall - Double($0)) } ?? 0
    oracle.deliver(
      GarageOracle.Delivery(
        person: person, kind: kind, at: now, dated: ((now - age) * 1000).rounded() / 1000,
        isFresh: age <= 120, isPosition: isPosition))
  }

  private func command(_ key: PropertyKey, _ value: Value) -> Input {
    .commands(CommandBatch(number: 7, [Command(key, value)]))
  }

  private func message(
    _ person: String, _ kind: GarageOracle.Kind, _ dated: Int, _ way: Way, isRetained: Bool = false
  ) -> OutsideMessage {
    var members: Value.Members = ["tst": .integer(dated), "lat": 52.0, "lon": 13.0, "acc": 10]
    if way == .location {
      members["_type"] = "location"
      members["inregions"] = kind == .armed ? ["Work"] : ["Home", "Garage"]
    } else {
      members["_type"] = "transition"
      members["event"] = kind == .armed ? "leave" : "enter"
      members["desc"] = kind == .armed ? "Home" : "Garage:000000000000000000000000000000FF:0:1"
      members["wtst"] = 1
    }
    return OutsideMessage(
      person, topic: "owntracks/\(person)/phone", payload: Array(JSON.text(of: .object(members)).utf8),
      isRetained: isRetained)
  }

  /// A good message with something wrong in it, or noise.
  private mutating func nonsense() {
    let person = Bool.random(using: &random) ? "anna" : "ben"
    var payload = message(person, .enterBeacon, Int(wall), .transition).payload
    switch Int.random(in: 0..<4, using: &random) {
    case 0: payload.removeLast(Int.random(in: 1..<payload.count, using: &random))
    case 1: payload = Array("{\"_type\":\"encrypted\",\"data\":\"x\"}".utf8)
    case 2: payload = (0..<30).map { _ in UInt8.random(in: 0...255, using: &random) }
    default:
      payload = Array(String(decoding: payload, as: UTF8.self).replacing("enter", with: "entered").utf8)
    }
    feed(.message(OutsideMessage(person, topic: "owntracks/\(person)/phone", payload: payload)))
    feed(.received(.board, payload))
  }

  // MARK: the bridge around the adapter

  private mutating func feed(_ input: Input) { follow(talk.feed(input)) }

  private mutating func follow(_ outputs: [Output]) {
    for output in outputs {
      switch output {
      case .remember(let value): memory = value
      case .send(let send): sent(send)
      case .connect: connect()
      case .sessionFinished: if talk.isUp { follow(talk.disconnect("session finished")) }
      case .event("refused", let facts):
        if let reason = facts.text("reason"), ["away", "link_error", "stopping"].contains(reason) {
          oracle.attemptFailed(at: now)
        }
      default: break
      }
    }
  }

  private mutating func connect() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: add(.linkFails, after: 1)
    case 1: break
    default: add(.linkUp, after: Int.random(in: 0...9, using: &random))
    }
  }

  private mutating func sent(_ send: Output.Send) {
    pulses += 1
    let text = String(decoding: send.bytes, as: UTF8.self)
    let person = Self.persons.first { text == $0.value + "O=1" }?.key
    if let problem = oracle.pulse(by: person ?? "?", commander: "anna", at: now) {
      wrong.append("at \(now): \(problem)")
    }
    guard let number = send.number else { return wrong.append("a pulse that asks for no word") }
    let fate: Fate =
      [.sent, .sent, .sent, .sent, .refused, .lost, .doubted].randomElement(using: &random) ?? .sent
    // Now and then when nobody waits for it any more.
    add(.answer(number: number, fate), after: [0, 0, 0, 0, 4, 11].randomElement(using: &random) ?? 0)
  }

  private mutating func answer(_ number: UInt64, _ fate: Fate) {
    guard talk.isUp, number > lastAnswer else { return }
    lastAnswer = number
    switch fate {
    case .sent:
      oracle.lastPulseWasSent(at: now)
      feed(.sent(number))
    case .refused:
      // Before the adapter says that the attempt failed.
      oracle.lastPulseFailed()
      feed(.notSent(number, "refused"))
    case .doubted:
      oracle.lastPulseIsDoubtful()
      feed(.notSent(number, "ATT error 0x80", mayHaveArrived: true))
    case .lost:
      oracle.lastPulseIsDoubtful()
      if Bool.random(using: &random) { feed(.notSent(number, "the link ended")) }
      if talk.isUp { follow(talk.disconnect("lost")) }
    }
  }

  /// Whatever was under way is lost, and what was remembered is not.
  private mutating func restart() throws {
    if Bool.random(using: &random) { feed(.stopping) }
    oracle.restart(at: now)
    lastAnswer = 0
    queue.removeAll {
      switch $0.1 {
      case .answer, .linkUp, .linkFails: true
      default: false
      }
    }
    talk = try Self.newTalk(memory, at: talk.now)
  }
}
