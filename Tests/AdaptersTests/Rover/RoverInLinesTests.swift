import DeviceModel
import Testing

@testable import Adapters

/// A rover whose newer board answers as its sketch does, at once unless it is told to be silent.
private struct NewerRover {
  static let descriptions = [
    "d0|odirection|Direction|oforward|obackward", "d1|nthrottle|Throttle|r0:100:1|u%|p0",
    "d2|nsteering|Steering|r-100:100:1|u%|p0", "d3|pstop|Stop", "d4|stilt_x|Tilt across|um/s²|sm|p2",
    "d5|stilt_y|Tilt along|um/s²|sm|p2", "d6|bobstacle|Obstacle|cproblem", "d7|sdistance|Distance|ucm|p0",
  ]
  var talk: Conversation
  let hello: String
  let token: LineForm.Token
  /// What went to the board: bodies of lines, and packets of the older form in `<>`.
  private(set) var board: [String] = []
  private(set) var outputs: [Output] = []
  var answers = true
  private var batch: UInt64 = 0

  init(_ choice: NewerForm.Choice = .lines) {
    talk = Conversation(LogicInLines(Rover(), choice: choice))
    let rest = "||48|8|Rover|v1.1|q3"
    token = LineForm.Token(
      hello: Array("h1|00000000\(rest)".utf8), descriptions: Self.descriptions.map { Array($0.utf8) })
    hello = "h1|\(token)\(rest)"
  }

  mutating func connect(_ maximumPacket: Int? = nil) { note(talk.connect(maximumPacket)) }
  mutating func pass(_ time: Duration) { note(talk.pass(time)) }
  mutating func feed(_ input: Input) { note(talk.feed(input)) }

  mutating func say(_ bodies: String...) {
    note(talk.receive(bodies.flatMap { LineForm.framed(Array($0.utf8)) }))
  }

  mutating func introduce() {
    for body in [hello] + Self.descriptions + ["g\(token)", "v4=0", "v5=0", "v6=0", "v7=80", "p12|0|0"] {
      say(body)
    }
    board.removeAll()
  }

  @discardableResult
  mutating func set(_ values: (PropertyKey, Value)..., after time: Duration = .milliseconds(200)) -> [String]
  {
    pass(time)
    let before = board.count
    outputs.removeAll()
    batch += 1
    note(talk.feed(.commands(CommandBatch(number: batch, values.map { Command($0.0, $0.1) }))))
    return Array(board.dropFirst(before))
  }

  mutating func forget() {
    board.removeAll()
    outputs.removeAll()
  }

  private mutating func note(_ new: [Output]) {
    outputs += new
    var replies: [String] = []
    for case .send(let send) in new {
      let mark = send.policy == .overtaking ? "!" : ""
      guard send.bytes.first == LineForm.mark else {
        board.append("\(mark)<\(String(decoding: send.bytes, as: UTF8.self))>")
        if let number = send.number { note(talk.feed(.sent(number))) }
        continue
      }
      let body = String(decoding: send.bytes.dropFirst().dropLast(5), as: UTF8.self)
      // The sequence differs each time.
      let isCommand = body.first == "C"
      board.append(mark + (isCommand ? "C" + body.dropFirst(2) : body))
      if isCommand, answers { replies.append("a\(body.dropFirst().prefix(1))+") }
    }
    for reply in replies { say(reply) }
  }

  /// Without pings.
  var commands: [String] { board.filter { $0 != "P" } }

  var stopReasons: [Value?] {
    outputs.compactMap { if case .event("stopped", let facts) = $0 { facts["reason"] } else { nil } }
  }
}

struct `A rover with a newer sketch` {
  @Test func `is stopped in the old form first, then asked for lines`() {
    var rover = NewerRover()
    rover.connect()
    #expect(rover.board == ["!<T=0>"])
    rover.pass(.seconds(1))
    #expect(rover.board == ["!<T=0>", "W"])
    rover.introduce()
    #expect(rover.talk.state["distance"] == .number(80))
    #expect(rover.talk.state["obstacle"] == false)
    #expect(rover.talk.state["tipping"] == false)
    #expect(rover.outputs.contains(.alive))
    let descriptions = rover.outputs.compactMap {
      if case .describe(let description) = $0 { description } else { nil }
    }
    #expect(descriptions.last?["obstacle"] != nil && descriptions.last?["throttle"] != nil)
  }

  @Test func `is driven in lines, by the same rules`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    #expect(rover.set(("throttle", 100.0), ("steering", 50.0)) == ["C0=0", "C1=100", "C2=50"])
    #expect(rover.set(("throttle", 20.0)) == ["C2=0", "C1=20", "C2=50"])
    #expect(rover.set(("voice", "BACKWARD")) == ["!C3=", "C0=1", "C1=60"])
    #expect(rover.set(("voice", "LEFT")) == ["C2=-50"])
    #expect(rover.set(("stop", .unknown)) == ["!C3="])
    #expect(rover.outputs.rejections.isEmpty)
  }

  @Test func `a stop waits for no answer, and what it overtook is not done`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.answers = false
    #expect(rover.set(("throttle", 50.0), ("steering", 20.0)) == ["C0=0"])
    #expect(rover.set(("stop", .unknown)) == ["!C3="])
    rover.answers = true
    rover.forget()
    // The board answers late what is nobody's any more.
    rover.say("a0+")
    #expect(rover.board == [])
    rover.pass(.seconds(3))
    #expect(rover.commands == ["C3="])
    rover.forget()
    rover.pass(.seconds(14))
    #expect(!rover.board.contains("C1=50"))
  }

  @Test func `an obstacle stops it before anything else, and is told`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.set(("throttle", 50.0))
    rover.forget()
    rover.say("v1=0", "v6=1", "v7=15")
    #expect(rover.board == ["!C3="])
    #expect(rover.stopReasons == ["obstacle"])
    #expect(rover.talk.state["throttle"] == 0)
    #expect(rover.talk.state["obstacle"] == true)
    #expect(rover.talk.state["distance"] == .number(15))
  }

  @Test func `what the board refuses fails, and stops it`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.answers = false
    rover.set(("throttle", 50.0))
    rover.answers = true
    rover.forget()
    rover.say("a0-n|something is in the way")
    #expect(rover.outputs.reasons == [.linkError])
    #expect(rover.board == ["!C3="])
    #expect(rover.talk.state["throttle"] == 0)
  }

  @Test func `a board that has started anew stands, and does nothing that was wanted before`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.set(("throttle", 50.0))
    rover.answers = false
    rover.set(("steering", 20.0))
    rover.set(("throttle", 80.0))
    rover.forget()
    rover.say(rover.hello)
    #expect(rover.outputs.reasons == [.linkError, .linkError], "what waited as well")
    #expect(rover.talk.state["throttle"] == 0)
    #expect(rover.talk.state["steering"] == 0)
    rover.answers = true
    rover.forget()
    rover.say("g\(rover.token)", "v4=0", "v5=0", "v6=0", "v7=80", "p4|0|0")
    rover.pass(.seconds(5))
    #expect(rover.commands == ["C3="])
    // The same throttle as before is news to it.
    #expect(rover.set(("throttle", 50.0)) == ["C0=0", "C1=50"])
    #expect(!rover.outputs.hasFailed)
  }

  @Test func `the bridge's end stops it, then says goodbye`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.set(("throttle", 50.0))
    rover.forget()
    rover.feed(.stopping)
    #expect(rover.board == ["!C3=", "B"])
  }

  @Test func `a board that stands without its bridge is spoken to each second, whatever is lost`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.set(("throttle", 50.0))
    for _ in 0..<20 {
      rover.say("v7=79")
      rover.forget()
      rover.pass(.seconds(1))
      #expect(rover.board == ["P"])
    }
    // It is given up no sooner than another one.
    rover.answers = false
    rover.pass(.seconds(14))
    #expect(!rover.outputs.hasFailed)
    #expect(rover.board.count(where: { $0 == "P" }) == 15)
    rover.pass(.seconds(2))
    #expect(rover.outputs.hasFailed)
  }

  @Test func `a board that only pongs lives`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    for _ in 0..<10 {
      rover.pass(.seconds(15))
      rover.say("p12|0|0")
    }
    #expect(!rover.outputs.hasFailed)
  }

  @Test func `a classic board is driven in packets although lines were asked for`() {
    var rover = NewerRover()
    rover.connect(20)
    rover.feed(.received(.board, Array("-0.31:1.20".utf8)))
    rover.pass(.seconds(1))
    rover.forget()
    #expect(rover.set(("throttle", 50.0)) == ["<F>", "<T=50>"])
    #expect(rover.talk.state["tilt_x"] == -0.31)
    #expect(rover.talk.state["obstacle"] == nil)
  }

  @Test func `over a stream nothing but a stop is said before it has introduced itself`() {
    var rover = NewerRover()
    rover.connect()
    rover.forget()
    #expect(rover.set(("throttle", 50.0), ("steering", 20.0)) == [])
    #expect(rover.outputs.reasons == [.notNow])
    #expect(rover.set(("attitude", ["pitch": 60, "roll": 0])) == [])
    // It was asked who it is meanwhile.
    #expect(rover.set(("stop", .unknown)).last == "!<T=0>")
    #expect(rover.set(("voice", "stop")).last == "!<T=0>")
    #expect(rover.outputs.rejections.isEmpty)
    rover.introduce()
    #expect(rover.set(("throttle", 50.0)) == ["C0=0", "C1=50"])
  }

  @Test func `a board that was not configured so is written nothing in lines`() {
    var rover = NewerRover(.classic)
    rover.connect()
    rover.feed(.received(.board, Array("0.00:0.00".utf8)))
    rover.pass(.seconds(20))
    #expect(rover.board == ["!<T=0>"])
  }

  @Test func `what was kept is given back to both`() {
    var rover = NewerRover()
    rover.connect()
    rover.introduce()
    rover.set(("speed_profile", "slow"))
    let kept = rover.outputs.compactMap { if case .remember(let value) = $0 { value } else { nil } }.last
    var later = NewerRover()
    later.feed(.remembered(kept ?? .unknown))
    #expect(later.talk.state["speed_profile"] == "slow")
    later.connect()
    later.say(later.hello)
    #expect(later.board.last == "G\(later.token)")
  }
}
