import DeviceModel
import JSON
import Testing

@testable import Adapters

/// A garage door in talk with a test, its link made and answered by itself unless the test says otherwise.
struct GarageTalk: CustomStringConvertible {
  static let anna = "48151"
  static let ben = "62342"
  static let master = "90909"

  var talk: Conversation
  /// The link comes up when the adapter asks for it.
  var isReachable = true
  /// The link stays when the adapter has done what it was for.
  var isHeld = false
  /// What is sent leaves.
  var isSent = true
  /// What the adapter was last given to remember.
  private(set) var memory = Value.unknown
  private(set) var events: [Value.Members] = []
  private(set) var sent: [String] = []
  private(set) var answers: [(number: UInt64, result: Result<Value, Rejection>)] = []
  private(set) var rejections: [Rejection] = []
  private var unanswered: [UInt64] = []

  /// Two persons with phones and cars.
  static let options: Value = [
    "persons": [
      [
        "name": "Anna", "pin": .text(anna), "owntracks": "anna/phone",
        "car": ["uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "major": 1, "minor": 1],
      ],
      ["name": "Ben", "pin": .text(ben), "owntracks": "ben/phone"],
    ],
    "open_as": "Anna", "master_pin": .text(master),
  ]

  init(_ options: Value = Self.options, remembering memory: Value = .unknown, at now: Moment? = nil) throws {
    var problems: [ConfigurationProblem] = []
    let kind = GarageDoor.kind
    let checked = kind.options.check(LocatedValue(options), path: "options", problems: &problems)
    let adapter = kind.makeAdapter(checked, &problems)
    #expect(problems.isEmpty, "\(problems)")
    talk = Conversation(try #require(adapter))
    if let now { talk.now = now }
    self.memory = memory
    feed(.remembered(memory))
  }

  /// As after a restart of the bridge: a new adapter with what the old one remembered.
  mutating func restart() throws {
    let new = try GarageTalk(remembering: memory, at: talk.now)
    talk = new.talk
    memory = new.memory
    unanswered = []
  }

  var description: String { "garage door, sent \(sent)" }

  var now: Int { Int(talk.now.wall.seconds) }

  @discardableResult
  mutating func feed(_ input: Input) -> [Output] {
    let outputs = talk.feed(input)
    return outputs + follow(outputs)
  }

  @discardableResult
  mutating func pass(_ seconds: Double) -> [Output] {
    let outputs = talk.pass(.milliseconds(Int64(seconds * 1000)))
    return outputs + follow(outputs)
  }

  /// Does what the outputs want done, as the bridge would.
  private mutating func follow(_ outputs: [Output]) -> [Output] {
    var more: [Output] = []
    var wantsLink = false
    for output in outputs {
      switch output {
      case .remember(let value): memory = value
      case .event(let type, let facts):
        var facts = facts
        facts["event_type"] = .text(type)
        events.append(facts)
      case .answer(let number, let result): answers.append((number, result))
      case .reject(_, _, let rejection): rejections.append(rejection)
      case .send(let send):
        sent.append(String(decoding: send.bytes, as: UTF8.self))
        guard let number = send.number else { break }
        if isSent { more += feed(.sent(number)) } else { unanswered.append(number) }
      case .connect: wantsLink = true
      case .sessionFinished: if !isHeld { more += disconnect("session finished") }
      default: break
      }
    }
    if wantsLink, isReachable, !talk.isUp { more += connect() }
    // What is due in the next turn.
    if talk.timers["pulse"] == talk.now.uptime { more += pass(0) }
    return more
  }

  @discardableResult
  mutating func connect() -> [Output] {
    let outputs = talk.connect()
    return outputs + follow(outputs)
  }

  @discardableResult
  mutating func disconnect(_ reason: String = "closed") -> [Output] {
    guard talk.isUp else { return [] }
    let outputs = talk.disconnect(reason)
    return outputs + follow(outputs)
  }

  /// Says of all that was sent and not answered that it did not leave.
  mutating func loseSends() {
    for number in unanswered { feed(.notSent(number, "refused by the board")) }
    unanswered = []
  }

  mutating func command(_ property: PropertyKey, _ value: Value) {
    feed(.commands(CommandBatch(number: 1, [Command(property, value)])))
  }

  mutating func presence(_ value: Value, person: String = "anna") {
    command(GarageProperty.presence(person), value)
  }

  /// A transition as the phone sends it, its date this far off the present.
  mutating func phone(
    _ event: String, _ region: String, person: String = "anna", after seconds: Int = 0,
    isRetained: Bool = false
  ) {
    let members: Value = [
      "_type": "transition", "event": .text(event), "desc": .text(region), "tst": .integer(now + seconds),
      "wtst": 1_700_000_000, "acc": 20, "lat": 52.0, "lon": 13.0, "t": "c", "tid": "an",
    ]
    message(members, person: person, isRetained: isRetained)
  }

  mutating func message(_ value: Value, person: String = "anna", isRetained: Bool = false) {
    message(Array(JSON.text(of: value).utf8), person: person, isRetained: isRetained)
  }

  mutating func message(_ payload: [UInt8], person: String = "anna", isRetained: Bool = false) {
    feed(
      .message(
        OutsideMessage(person, topic: "owntracks/\(person)/phone", payload: payload, isRetained: isRetained)))
  }

  mutating func request(_ name: String, _ parameters: Value.Members = [:]) -> Result<Value, Rejection>? {
    let number = UInt64(answers.count + 1)
    feed(.request(KindRequest(number: number, name, parameters)))
    return answers.last { $0.number == number }?.result
  }

  /// How often the relay was told to pulse.
  var pulses: [String] { sent.filter { $0.hasSuffix("O=1") } }

  subscript(key: PropertyKey) -> Value { talk.state[key] ?? .unknown }
  func isArmed(_ person: String = "anna") -> Bool { self[GarageProperty.armed(person)] == true }
  var door: Value { self[GarageProperty.door] }

  func happened(_ type: String) -> [Value.Members] { events.filter { $0["event_type"] == .text(type) } }
}
