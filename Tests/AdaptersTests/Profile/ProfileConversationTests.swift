import DeviceModel
import TestSupport
import Testing

@testable import Adapters

/// What a profile does in the course of time.
struct `A board with a profile` {
  static let polled = """
    messages:
      reading: { starts_with: 'T', csv: [t] }
      ok: { text: OK }
      error: { text: ERROR }
    properties:
      t: { kind: sensor, unit: °C }
      led: { kind: switch, set: { send: 'LED={value}', expect: ok, refused_by: error, within: 1s } }
    polling:
      - { send: 'T?', every: 10s, expect: reading, within: 1s, attempts: 2 }
    """

  @Test func `is asked on connect and every so often`() throws {
    var talk = Conversation(try ProfileText.profile(Self.polled))
    #expect(talk.connect().sentText == ["T?\n"])
    #expect(talk.receive("T21\n").contains(.alive))
    #expect(talk.state["t"] == .number(21))
    #expect(talk.pass(.milliseconds(9_900)).sentText == [])
    #expect(talk.pass(.milliseconds(200)).sentText == ["T?\n"])
  }

  @Test func `that does not answer is asked once more and is away then`() throws {
    var talk = Conversation(try ProfileText.profile(Self.polled))
    _ = talk.connect()
    let again = talk.pass(.milliseconds(1100))
    #expect(again.sentText == ["T?\n"] && !again.hasFailed)
    #expect(talk.pass(.milliseconds(1100)).hasFailed)
  }

  @Test func `confirms a command by its answer`() throws {
    var talk = try ProfileText.talk(Self.polled)
    _ = talk.receive("T21\n")
    #expect(talk.command(1, Command("led", true)).sentText == ["LED=1\n"])
    #expect(talk.state["led"] == nil)
    // Another message in between is no answer.
    _ = talk.receive("T22\n")
    #expect(talk.state["led"] == nil)
    _ = talk.receive("OK\n")
    #expect(talk.state["led"] == true)
  }

  @Test func `refuses a command with a message of its own`() throws {
    var talk = try ProfileText.talk(Self.polled)
    _ = talk.receive("T21\n")
    _ = talk.command(1, Command("led", true))
    #expect(talk.receive("ERROR\n").reasons == [.unsupported])
    #expect(talk.state["led"] == nil)
    #expect(talk.pass(.seconds(2)).reasons == [])
  }

  @Test func `that does not answer a command in time has not carried it out`() throws {
    var talk = try ProfileText.talk(Self.polled)
    _ = talk.receive("T21\n")
    _ = talk.command(1, Command("led", true))
    #expect(talk.pass(.milliseconds(1100)).reasons == [.timeout])
    _ = talk.receive("OK\n")
    #expect(talk.state["led"] == nil)
  }

  @Test func `is sent one thing at a time where answers are awaited`() throws {
    var talk = try ProfileText.talk(Self.polled)
    #expect(talk.command(1, Command("led", true)).sentText == [])
    #expect(talk.receive("T21\n").sentText == ["LED=1\n"])
    #expect(talk.command(2, Command("led", false)).sentText == [])
    #expect(talk.receive("OK\n").sentText == ["LED=0\n"])
    #expect(talk.state["led"] == true)
    _ = talk.receive("OK\n")
    #expect(talk.state["led"] == false)
  }

  @Test func `waits between two sends when it is asked to`() throws {
    var talk = try ProfileText.talk(
      """
      properties: { a: { kind: button, set: [X, Y, Z] } }
      sending: { pause: 100ms }
      """)
    #expect(talk.command(1, Command("a", .unknown)).sentText == ["X\n"])
    #expect(talk.pass(.milliseconds(99)).sentText == [])
    #expect(talk.pass(.milliseconds(1)).sentText == ["Y\n"])
    #expect(talk.pass(.milliseconds(500)).sentText == ["Z\n"])
  }

  @Test func `without evidence is what left for it`() throws {
    let profile = try ProfileText.profile("properties: { a: { kind: switch, set: '{value}' } }")
    #expect(profile.description["a"]?.isAssumed == true)
    var talk = Conversation(profile)
    _ = talk.connect()
    let outputs = talk.command(1, Command("a", true))
    #expect(talk.state["a"] == nil)
    for case .send(let send) in outputs { if let number = send.number { talk.feed(.sent(number)) } }
    #expect(talk.state["a"] == true)
    // What did not leave is not so.
    for case .send(let send) in talk.command(2, Command("a", false)) {
      if let number = send.number { #expect(talk.feed(.notSent(number, "gone")).reasons == [.linkError]) }
    }
    #expect(talk.state["a"] == true)
  }

  @Test func `that may tell a value, but need not, is what left for it until it says otherwise`() throws {
    let text = "messages: { r: { pairs: {} } }\nproperties: { a: { kind: switch, set: 'a{value}' } }"
    let profile = try ProfileText.profile(text)
    #expect(profile.description["a"]?.isAssumed == true)
    #expect(
      try ProfileText.profile(text.replacing("set:", with: "from: a, set:")).description["a"]?.isAssumed
        == false)
    let required = text.replacing("pairs: {}", with: "pairs: {}, requires: [a]")
    #expect(try ProfileText.profile(required).description["a"]?.isAssumed == false)
    var talk = Conversation(profile)
    _ = talk.connect()
    for case .send(let send) in talk.command(1, Command("a", true)) {
      if let number = send.number { talk.feed(.sent(number)) }
    }
    #expect(talk.state["a"] == true)
    _ = talk.receive("a=0\n")
    #expect(talk.state["a"] == false)
  }

  @Test func `with evidence is what it says`() throws {
    let text = """
      messages: { r: { pairs: {} } }
      properties: { a: { kind: switch, set: { send: 'a={value}', expect: value, within: 1s } } }
      """
    let profile = try ProfileText.profile(text)
    #expect(profile.description["a"]?.isAssumed == false)
    var talk = Conversation(profile)
    _ = talk.connect()
    for case .send(let send) in talk.command(1, Command("a", true)) {
      if let number = send.number { talk.feed(.sent(number)) }
    }
    #expect(talk.state["a"] == nil)
    // The old value still coming is no answer yet.
    #expect(talk.receive("a=0\n").reasons == [])
    #expect(talk.pass(.milliseconds(500)).reasons == [])
    _ = talk.receive("a=1\n")
    #expect(talk.state["a"] == true)
    #expect(talk.pass(.seconds(2)).reasons == [])
  }

  @Test func `is greeted on connect before anything else, and is away when it does not answer that`() throws {
    let text = """
      messages: { ok: { text: OK }, r: { csv: [t] } }
      properties: { t: { kind: sensor } }
      on_connect: [{ send: HELLO, expect: ok, within: 1s }, START]
      polling: [{ send: '?', every: 10s }]
      """
    var talk = Conversation(try ProfileText.profile(text))
    #expect(talk.connect().sentText == ["HELLO\n"])
    #expect(talk.receive("OK\n").sentText == ["START\n", "?\n"])
    talk.disconnect()
    #expect(talk.connect().sentText == ["HELLO\n"])
    #expect(talk.pass(.milliseconds(1100)).hasFailed)
  }

  @Test func `is asked anew on request`() throws {
    var talk = try ProfileText.talk(Self.polled)
    _ = talk.receive("T21\n")
    #expect(talk.feed(.refresh).sentText == ["T?\n"])
    // Not once more while the answer is awaited.
    #expect(talk.feed(.refresh).sentText == [])
  }

  @Test func `that is silent for too long is away`() throws {
    var talk = try ProfileText.talk(
      "messages: { r: { csv: [t] } }\nproperties: { t: { kind: sensor } }\nsilence: 30s")
    #expect(!talk.pass(.seconds(29)).hasFailed)
    _ = talk.receive("1\n")
    #expect(!talk.pass(.seconds(29)).hasFailed)
    // Noise is no sign of life.
    _ = talk.receive("?,?\n")
    #expect(talk.pass(.seconds(2)).hasFailed)
  }

  @Test func `says with some messages only that it is well`() throws {
    var talk = try ProfileText.talk(
      """
      messages: { debug: { starts_with: '#', regex: '.*', alive: false }, r: { csv: [t] } }
      properties: { t: { kind: sensor } }
      """)
    #expect(!talk.receive("# booting\n").contains(.alive))
    #expect(talk.receive("1\n").contains(.alive))
  }

  @Test func `ends a session when all has come that it is for, or after a silence`() throws {
    var talk = try ProfileText.talk(
      """
      messages: { a: { starts_with: A, csv: [a] }, b: { starts_with: B, csv: [b] } }
      properties: { a: { kind: sensor }, b: { kind: sensor } }
      link: { session: polled, until: [a, b] }
      """)
    #expect(!talk.receive("A1\n").isFinished)
    #expect(talk.receive("B1\n").isFinished)
    talk = try ProfileText.talk("messages: { r: { csv: [t] } }\nproperties: { t: { kind: sensor } }")
    _ = talk.receive("1\n")
    #expect(!talk.pass(.milliseconds(900)).isFinished)
    #expect(talk.pass(.milliseconds(200)).isFinished)
  }

  @Test func `refuses all of a batch or nothing`() throws {
    var talk = try ProfileText.talk(
      "properties: { a: { kind: button, set: A }, n: { kind: number, maximum: 999, set: { hex: '{value:u8}' } } }"
    )
    let outputs = talk.command(1, Command("a", .unknown), Command("n", 500))
    #expect(outputs.sent.isEmpty && outputs.reasons == [.outOfRange])
  }

  @Test func `lets commands fail with the link, and takes none without`() throws {
    var talk = try ProfileText.talk(Self.polled)
    _ = talk.command(1, Command("led", true))
    #expect(talk.disconnect().reasons == [.linkError])
    #expect(talk.command(2, Command("led", true)).reasons == [.away])
  }

  @Test func `is sent what a packet has room for`() throws {
    var talk = Conversation(try ProfileText.profile("properties: { a: { kind: text, set: '{value}' } }"))
    _ = talk.feed(.linkUp(.board, maximumPacket: 20))
    let outputs = talk.command(1, Command("a", .text(String(repeating: "x", count: 30))))
    #expect(outputs.sent.map(\.count) == [20, 11])
    talk = Conversation(
      try ProfileText.profile("framing: packet\nproperties: { a: { kind: text, set: '{value}' } }"))
    _ = talk.feed(.linkUp(.board, maximumPacket: 20))
    #expect(talk.command(1, Command("a", .text(String(repeating: "x", count: 30)))).reasons == [.tooLarge])
  }

  @Test func `tells by its profile whether it speaks and how it is reached`() throws {
    func requirement(_ text: String) -> LinkRequirement? {
      ProfileText.options(text).map { Profile.requirement(of: $0) }
    }
    let silent = requirement("properties: { a: { kind: button, set: x } }")
    #expect(silent?.speaks == false && silent?.session == .held)
    #expect(requirement("properties: { a: { kind: button, set: x } }\nsilence: 1m")?.speaks == true)
    let link = requirement(
      "properties: { a: { kind: button, set: x } }\nlink: { transports: [tcp], poll: 5s }")
    #expect(link?.transports == [.tcp] && link?.session == .polled(every: .seconds(5)))
    #expect(requirement(Self.polled)?.speaks == true)
  }

  @Test func `keeps its rules whatever comes`() throws {
    for text in [
      Self.polled, `Profiles of the boards that have kinds of their own`.petDoor,
      `Profiles of the boards that have kinds of their own`.plug(slots: 3),
    ] {
      let profile = try ProfileText.profile(text)
      let inputs = RandomInputs(
        properties: profile.description.properties,
        phrases: ["T21\n", "OK\n", "ERROR\n", "m:1", "s:1;t:21.50", "S\u{1}\u{1}", "A"].map {
          Array($0.utf8)
        },
        values: [
          true, false, 5, "ON", .unknown, ["index": 1, "name": "x", "start": 5, "length": 1, "period": 2],
        ])
      var invariants = AdapterInvariants()
      invariants.check(profile, with: inputs, rounds: 3000)
      #expect(invariants.handled > 1000)
    }
  }
}
