import DeviceModel
import Testing

@testable import Adapters

struct `Opening the garage door` {
  @Test func `OPEN connects, sends the PIN once, and leaves`() throws {
    var garage = try GarageTalk()
    garage.command("door", "OPEN")
    #expect(garage.pulses == ["48151O=1"])
    #expect(garage.rejections.isEmpty)
    #expect(garage.door == "opening")
    #expect(garage["last_opened_by"] == "Anna")
    #expect(garage["last_opened"] == "2026-11-30T07:00:00Z")
    #expect(garage.happened("opened").map { $0["person"] } == ["Anna"])
    #expect(garage.talk.isUp)
    garage.pass(2)
    #expect(!garage.talk.isUp, "the family's phones get in")
  }

  @Test func `the door's state follows from the pulse`() throws {
    var garage = try GarageTalk()
    #expect(garage.door == .unknown)
    garage.command("door", "OPEN")
    garage.pass(19)
    #expect(garage.door == "opening")
    garage.pass(2)
    #expect(garage.door == "open")
    garage.pass(10)
    #expect(garage.door == "closing")
    garage.pass(22)
    #expect(garage.door == "closed")
  }

  @Test func `of a door that nobody has heard of, closed is said when it must have closed`() throws {
    var garage = try GarageTalk()
    garage.pass(51)
    #expect(garage.door == .unknown)
    garage.pass(2)
    #expect(garage.door == "closed")
  }

  @Test func `OPEN is refused while the door is presumed open`() throws {
    var garage = try GarageTalk()
    garage.command("door", "OPEN")
    for seconds in [1.0, 30, 20] {
      garage.pass(seconds)
      garage.command("door", "OPEN")
    }
    #expect(garage.pulses.count == 1)
    #expect(garage.rejections.map(\.reason) == [.notNow, .notNow, .notNow])
    #expect(
      garage.happened("refused").map { $0["reason"] } == ["presumed_open", "presumed_open", "presumed_open"])
    garage.pass(1.1)
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `the closing interval and the travel time are the owner's`() throws {
    var options = GarageTalk.options
    guard case .object(var members) = options else { return }
    members["closing_interval"] = "5s"
    members["travel_time"] = "10s"
    options = .object(members)
    var garage = try GarageTalk(options)
    garage.command("door", "OPEN")
    garage.pass(4)
    #expect(garage.door == "opening")
    garage.pass(2)
    #expect(garage.door == "closing")
    garage.pass(11.1)
    #expect(garage.door == "closed")
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `a board that is away fails the command within ten seconds, and nothing comes later`() throws {
    var garage = try GarageTalk()
    garage.isReachable = false
    garage.command("door", "OPEN")
    #expect(garage.rejections.isEmpty)
    garage.pass(9.9)
    #expect(garage.rejections.isEmpty)
    garage.pass(0.2)
    #expect(garage.rejections.map(\.reason) == [.away])
    garage.connect()
    garage.pass(60)
    #expect(garage.sent.isEmpty)
  }

  @Test func `an attempt that fails is the end of it`() throws {
    var garage = try GarageTalk()
    garage.isReachable = false
    garage.command("door", "OPEN")
    garage.feed(.linkDown(.board, "not heard"))
    #expect(garage.rejections.map(\.reason) == [.away])
    #expect(garage.happened("refused").map { $0["reason"] } == ["away"])
    garage.connect()
    #expect(garage.sent.isEmpty)
  }

  @Test func `a second OPEN while the first is under way is refused`() throws {
    var garage = try GarageTalk()
    garage.isReachable = false
    garage.command("door", "OPEN")
    garage.command("door", "OPEN")
    #expect(garage.rejections.map(\.reason) == [.busy])
    garage.connect()
    #expect(garage.pulses.count == 1)
  }

  @Test func `a write that the link refused leaves all as it was`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.pass(60)
    garage.presence("leave")
    garage.presence("enter")
    #expect(garage.pulses.count == 1)
    #expect(garage.isArmed())
    garage.loseSends()
    garage.pass(1)
    #expect(garage.isArmed(), "as it was")
    #expect(garage.door == "closed")
    #expect(garage.happened("refused").map { $0["reason"] } == ["link_error"])
    #expect(garage["last_opened_by"] == .unknown)
    garage.isSent = true
    garage.presence("enter")
    #expect(garage.pulses.count == 2, "the person may try again at once")
    #expect(!garage.isArmed())
  }

  @Test func `who could not be let in is in when another opens the door`() throws {
    var garage = try GarageTalk()
    garage.presence("leave", person: "ben")
    garage.isReachable = false
    garage.presence("enter", person: "ben")
    garage.pass(11)
    #expect(garage.isArmed("ben"))
    garage.isReachable = true
    garage.pass(30)
    garage.command("door", "OPEN")
    #expect(garage.pulses == ["48151O=1"])
    #expect(!garage.isArmed("ben"), "else the beacon's next coming and going would open")
  }

  @Test func `a link that ends before the word that it was sent may have opened the door`() throws {
    for losesSend in [false, true] {
      var garage = try GarageTalk()
      garage.isSent = false
      garage.command("door", "OPEN")
      if losesSend { garage.loseSends() }
      garage.disconnect("lost")
      #expect(garage.rejections.map(\.reason) == [.linkError])
      #expect(garage.door == .unknown)
      garage.isSent = true
      garage.command("door", "OPEN")
      #expect(garage.pulses.count == 1, "a second pulse could turn it around")
      garage.pass(53)
      #expect(garage.door == "closed")
      garage.command("door", "OPEN")
      #expect(garage.pulses.count == 2)
    }
  }

  @Test func `a word that comes late lets in who came, and the door opens but once`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.presence("leave")
    garage.pass(1)
    garage.phone("enter", "Garage")
    garage.pass(10.5)
    #expect(garage.happened("refused").map { $0["reason"] } == ["link_error"])
    #expect(garage.isArmed())
    garage.feed(.sent(1))
    #expect(!garage.isArmed())
    #expect(garage.happened("opened").map { $0["person"] } == ["Anna"])
    #expect(garage["last_opened"] == "2026-11-30T07:00:01Z")
    garage.pass(60)
    garage.phone("enter", "Garage", after: -71)
    #expect(garage.pulses.count == 1)
  }

  @Test func `a leaving in the second of the arrival does not arm`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.presence("leave")
    garage.pass(1)
    garage.phone("enter", "Garage")
    garage.phone("leave", "Home")
    garage.feed(.sent(1))
    #expect(!garage.isArmed())
  }

  @Test func `a bridge that stops sends nothing more`() throws {
    var garage = try GarageTalk()
    garage.isReachable = false
    garage.command("door", "OPEN")
    garage.feed(.stopping)
    #expect(garage.rejections.map(\.reason) == [.notNow])
    garage.connect()
    #expect(garage.sent.isEmpty)
  }

  @Test func `a restart forgets no opening`() throws {
    var garage = try GarageTalk()
    garage.command("door", "OPEN")
    garage.pass(5)
    try garage.restart()
    #expect(garage.door == "opening")
    #expect(garage["last_opened_by"] == "Anna")
    garage.command("door", "OPEN")
    #expect(garage.rejections.map(\.reason) == [.notNow])
    garage.pass(48)
    #expect(garage.door == "closed")
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `a pulse is remembered before it leaves`() throws {
    var garage = try GarageTalk()
    garage.isSent = false
    garage.isReachable = false
    garage.command("door", "OPEN")
    let outputs = garage.talk.feed(.linkUp(.board, maximumPacket: 20))
    #expect(outputs.sent.isEmpty)
    let remembered = try #require(outputs.firstIndex { if case .remember = $0 { true } else { false } })
    #expect(garage.talk.pass(.zero).sent == [Array("48151O=1".utf8)], "in the next turn, when it is on disk")
    guard case .remember(let memory) = outputs[remembered] else { return }
    var next = try GarageTalk(remembering: memory, at: garage.talk.now)
    next.command("door", "OPEN")
    #expect(next.sent.isEmpty)
    #expect(next.rejections.map(\.reason) == [.notNow])
  }

  @Test func `a clock that was set back across a restart does not shorten the time`() throws {
    var garage = try GarageTalk()
    garage.command("door", "OPEN")
    garage.pass(40)
    garage.talk.now.wall = garage.talk.now.wall.advanced(by: .seconds(-7200))
    try garage.restart()
    garage.pass(51)
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 1)
    garage.pass(2)
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 2)
  }

  @Test func `without open_as nobody is offered OPEN`() throws {
    let garage = try GarageTalk(["persons": [["name": "Anna", "pin": "48151"]]])
    #expect(garage.talk.adapter.description["door"]?.verbs == [])
    var other = try GarageTalk(["persons": [["name": "Anna", "pin": "48151"]]])
    other.command("door", "OPEN")
    #expect(other.sent.isEmpty)
    #expect(other.rejections.map(\.reason) == [.readOnly])
  }

  @Test(arguments: [("door", "CLOSE"), ("door", "STOP"), ("last_opened_by", "Ben"), ("toaster", "ON")])
  func `other commands are refused`(key: String, word: String) throws {
    var garage = try GarageTalk()
    garage.command(try #require(PropertyKey(key)), .text(word))
    #expect(garage.rejections.count == 1)
    #expect(garage.sent.isEmpty)
  }

  @Test func `of a batch all is done or nothing`() throws {
    var garage = try GarageTalk()
    garage.feed(
      .commands(
        CommandBatch(number: 4, [Command("simulate_exit_anna", .unknown), Command("presence/ben", "away")])))
    #expect(garage.rejections.map(\.reason) == [.invalid])
    #expect(!garage.isArmed())
  }

  @Test func `the relay knows no second word: nothing but the PIN and O=1 is sent`() throws {
    var garage = try GarageTalk()
    garage.command("door", "OPEN")
    garage.feed(.received(.board, Array("48151O=1".utf8)))
    garage.feed(.refresh)
    garage.pass(300)
    #expect(garage.sent == ["48151O=1"])
  }

  @Test func `a bridge that is leaving opens nothing any more`() throws {
    var garage = try GarageTalk()
    garage.isHeld = true
    garage.connect()
    garage.presence("leave")
    garage.feed(.stopping)
    garage.presence("enter")
    garage.pass(15)
    #expect(garage.sent.isEmpty)
    #expect(garage.happened("refused").map { $0["reason"] } == ["stopping"])
    #expect(garage.isArmed())
  }
}
