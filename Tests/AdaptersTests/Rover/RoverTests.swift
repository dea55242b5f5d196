import DeviceModel
import Testing

@testable import Adapters

/// A rover in talk with a test, whose link takes everything at once unless told to wait.
struct RoverTalk {
  var talk: Conversation
  /// What the board got, in its order.
  private(set) var board: [String] = []
  private(set) var outputs: [Output] = []
  private var batch: UInt64 = 0
  /// Numbers of sends that the link has not answered.
  private(set) var waiting: [UInt64] = []
  var takesAtOnce = true

  init(_ settings: RoverSettings = RoverSettings(), isUp: Bool = true) {
    talk = Conversation(Rover(settings))
    guard isUp else { return }
    connect()
    receive("0.00:0.00")
    board.removeAll()
  }

  mutating func connect() { note(talk.connect()) }
  mutating func disconnect() { note(talk.disconnect()) }
  mutating func receive(_ text: String) { note(talk.receive(text)) }
  mutating func feed(_ input: Input) { note(talk.feed(input)) }
  mutating func pass(_ time: Duration) { note(talk.pass(time)) }

  /// Seconds in which the board goes on speaking.
  mutating func live(_ seconds: Int) {
    for _ in 0..<seconds {
      receive("0.00:0.00")
      pass(.seconds(1))
    }
  }

  /// - Returns: What the board got for it.
  @discardableResult
  mutating func set(_ values: (PropertyKey, Value)..., after time: Duration = .seconds(1)) -> [String] {
    pass(time)
    let before = board.count
    batch += 1
    outputs.removeAll()
    note(talk.feed(.commands(CommandBatch(number: batch, values.map { Command($0.0, $0.1.asNumber) }))))
    return Array(board.dropFirst(before))
  }

  @discardableResult mutating func say(_ word: String) -> [String] { set(("voice", .text(word))) }

  @discardableResult
  mutating func tilt(_ pitch: Double, _ roll: Double = 0, after time: Duration = .milliseconds(200))
    -> [String]
  {
    set(("attitude", ["pitch": .number(pitch), "roll": .number(roll)]), after: time)
  }

  /// The link is done with all that waits.
  mutating func finish() {
    let numbers = waiting
    waiting.removeAll()
    for number in numbers { note(talk.feed(.sent(number))) }
  }

  mutating func fail(_ number: UInt64) {
    waiting.removeAll { $0 == number }
    note(talk.feed(.notSent(number, "no")))
  }

  private mutating func note(_ new: [Output]) {
    outputs += new
    for case .send(let send) in new {
      if send.policy == .overtaking, !takesAtOnce {
        board.append("!" + String(decoding: send.bytes, as: UTF8.self))
      } else {
        board.append(String(decoding: send.bytes, as: UTF8.self))
      }
      if let number = send.number { waiting.append(number) }
    }
    if takesAtOnce, !waiting.isEmpty { finish() }
  }

  var stopReasons: [Value?] {
    outputs.compactMap { if case .event("stopped", let facts) = $0 { facts["reason"] } else { nil } }
  }
  var state: [PropertyKey: Value] { talk.state }
  mutating func forget() {
    board.removeAll()
    outputs.removeAll()
  }
}

struct `Driving a rover` {
  @Test func `throttle 0 is the first thing on every link, and urgent`() {
    var rover = RoverTalk(isUp: false)
    rover.takesAtOnce = false
    rover.connect()
    #expect(rover.board == ["!T=0"])
    rover.finish()
    rover.set(("throttle", 40))
    rover.disconnect()
    rover.forget()
    rover.connect()
    #expect(rover.board == ["!T=0"])
    #expect(rover.state["throttle"] == 0)
    #expect(rover.state["steering"] == 0)
  }

  @Test func `from a standstill the direction comes before the throttle`() {
    var rover = RoverTalk()
    #expect(rover.set(("throttle", 40)) == ["F", "T=40"])
    #expect(rover.set(("throttle", 60)) == ["T=60"])
    #expect(rover.state["throttle"] == 60)
    #expect(rover.state["direction"] == "forward")
    #expect(rover.set(("throttle", 0)) == ["T=0"])
    #expect(rover.set(("throttle", 20)) == ["F", "T=20"])
  }

  @Test func `another direction stops first, and stays standing`() {
    var rover = RoverTalk()
    rover.set(("throttle", 50))
    #expect(rover.set(("direction", "backward")) == ["T=0", "B"])
    #expect(rover.state["throttle"] == 0)
    #expect(rover.state["direction"] == "backward")
    #expect(rover.set(("throttle", 30)) == ["B", "T=30"])
    #expect(rover.set(("direction", "forward"), ("throttle", 20)) == ["T=0", "F", "T=20"])
  }

  @Test func `a direction that is asked for is told, once`() {
    var rover = RoverTalk()
    #expect(rover.set(("direction", "forward")) == ["F"])
    #expect(rover.set(("direction", "forward")) == [])
    #expect(rover.set(("direction", "backward")) == ["B"])
  }

  @Test func `steering is told as the wheel that is slowed, and centre is L=0`() {
    var rover = RoverTalk()
    rover.set(("throttle", 50))
    #expect(rover.set(("steering", 30)) == ["R=30"])
    #expect(rover.set(("steering", -45)) == ["L=45"])
    #expect(rover.set(("steering", 0)) == ["L=0"])
    #expect(rover.state["steering"] == 0)
  }

  @Test func `before a lower throttle the steering is taken away, and after every throttle it is told anew`()
  {
    var rover = RoverTalk()
    #expect(rover.set(("throttle", 100), ("steering", 50)) == ["F", "T=100", "R=50"])
    #expect(rover.set(("throttle", 20)) == ["L=0", "T=20", "R=50"])
    #expect(rover.set(("throttle", 80)) == ["T=80", "R=50"])
    #expect(rover.set(("throttle", 90), ("steering", 0)) == ["L=0", "T=90"])
    #expect(rover.set(("steering", -50)) == ["L=50"])
    #expect(rover.set(("throttle", 10), ("steering", 10)) == ["L=0", "T=10", "R=10"])
  }

  @Test func `throttle 0 clears the steering, as the board does`() {
    var rover = RoverTalk()
    rover.set(("throttle", 50), ("steering", 30))
    #expect(rover.set(("throttle", 0)) == ["T=0"])
    #expect(rover.state["steering"] == 0)
    #expect(rover.set(("throttle", 50)) == ["F", "T=50"])
  }

  @Test func `what has not changed is not told again`() {
    var rover = RoverTalk()
    rover.set(("throttle", 50))
    #expect(rover.set(("throttle", 50)) == [])
    rover.say("RIGHT")
    #expect(rover.say("RIGHT") == [])
  }

  @Test func `STOP is always told`() {
    var rover = RoverTalk()
    #expect(rover.set(("stop", .unknown)) == ["T=0"])
    #expect(rover.set(("stop", .unknown)) == ["T=0"])
    #expect(rover.say("stop") == ["T=0"])
    #expect(rover.stopReasons.isEmpty)
  }

  @Test(arguments: [
    ("FORWARD", ["F", "T=60"]), ("slow forward", ["F", "T=40"]), ("FastForward", ["F", "T=80"]),
    ("BACKWARD", ["B", "T=60"]), ("Slow  Backward", ["B", "T=40"]), (" fast_backward ", ["B", "T=80"]),
  ])
  func `a word drives`(word: String, expected: [String]) {
    var rover = RoverTalk()
    #expect(rover.say(word) == expected)
    #expect(rover.state["throttle"] == .integer(Int(expected[1].dropFirst(2)) ?? -1))
  }

  @Test func `words steer and straighten`() {
    var rover = RoverTalk()
    rover.say("FORWARD")
    #expect(rover.say("left") == ["L=50"])
    #expect(rover.say("RIGHT") == ["R=50"])
    #expect(rover.say("CENTER") == ["L=0"])
    #expect(rover.say("SLOW FORWARD") == ["T=40"])
    #expect(rover.say("BACKWARD") == ["T=0", "B", "T=60"])
    #expect(rover.state["voice"] == "BACKWARD")
  }

  @Test(arguments: ["", "FORWARDS", "FORWARD!", "SLOW", "GO", "STOPP", "STOP STOP"])
  func `any other word is refused`(word: String) {
    var rover = RoverTalk()
    #expect(rover.say(word) == [])
    #expect(rover.outputs.reasons == [.invalid])
  }

  @Test func `limits and speeds are the owner's`() {
    var settings = RoverSettings()
    settings.throttleLimit = 50
    settings.steeringLimit = 20
    settings.slowWord = 10
    var rover = RoverTalk(settings)
    #expect(rover.say("FORWARD") == ["F", "T=50"])
    #expect(rover.say("SLOW FORWARD") == ["T=10"])
    #expect(rover.say("LEFT") == ["L=20"])
    let range = PropertyKind.NumberRange(0...50)
    #expect(Rover(settings).description["throttle"]?.kind == .number(range, .init(unit: "%")))
  }

  @Test func `the speed profile scales what is sent, at once, and is kept`() {
    var rover = RoverTalk()
    rover.set(("throttle", 60))
    #expect(rover.set(("speed_profile", "slow")) == ["T=30"])
    #expect(rover.outputs.contains { if case .remember = $0 { true } else { false } })
    #expect(rover.state["throttle"] == 60)
    #expect(rover.set(("speed_profile", "fast")) == ["T=90"])
    #expect(rover.set(("throttle", 90)) == ["T=100"])
    #expect(rover.set(("throttle", 1), ("speed_profile", "slow")) == ["T=1"])
    #expect(rover.state["speed_profile"] == "slow")
  }

  @Test func `a batch that contradicts itself is refused, but its stop is obeyed`() {
    var rover = RoverTalk()
    rover.set(("throttle", 60))
    #expect(rover.set(("stop", .unknown), ("throttle", 50)) == ["T=0"])
    #expect(rover.outputs.reasons == [.invalid])
    rover.set(("throttle", 60))
    #expect(rover.set(("voice", "LEFT"), ("throttle", 30)) == [])
    #expect(rover.outputs.reasons == [.invalid])
    #expect(rover.state["throttle"] == 60)
    #expect(rover.set(("voice", "STOP"), ("attitude", "nonsense")) == ["T=0"])
    #expect(rover.outputs.reasons == [.invalid])
    #expect(rover.set(("throttle", 0), ("steering", 20)) == ["T=0", "R=20"])
    #expect(rover.outputs.reasons == [])
  }

  @Test func `without a link nothing is done, and nothing later`() {
    var rover = RoverTalk(isUp: false)
    #expect(rover.set(("throttle", 60)) == [])
    #expect(rover.outputs.reasons == [.away])
    rover.connect()
    #expect(rover.board == ["T=0"])
  }
}
