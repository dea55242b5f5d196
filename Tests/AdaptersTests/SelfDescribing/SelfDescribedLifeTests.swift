import DeviceModel
import Testing

@testable import Adapters

struct `A self-describing board at work` {
  @Test func `values mean what the board has described`() throws {
    var board = try Greenhouse()
    board.introduce()
    let expected: [PropertyKey: Value] = [
      "temperature": 21.5, "window": false, "pump": false, "mode": "away", "message": "hi",
      "door": "LOCKED", "roof": "stopped", "phase": .unknown, "wind": .unknown,
    ]
    for (key, value) in expected { #expect(board.talk.state[key] == value, "\(key)") }
    board.say(#"v1="ripening"#, "v2=1", "v3=1796000000", "v6=21.5", "v13=2", "v4=1", "v11=4")
    for (key, value): (PropertyKey, Value) in [
      ("phase", "ripening"), ("wind", "breeze"), ("next_watering", "2026-11-30T00:53:20Z"),
      ("target", 21.5), ("vent", "opening"), ("window", true), ("door", "JAMMED"),
    ] {
      #expect(board.talk.state[key] == value, "\(key)")
    }
  }

  @Test(arguments: [
    "v2=3", "v2=-1", "v2=0.5", "v3=-5", "v3=4294967296", "v4=2", "v5=0.5", #"v5="ON"#, "v9=5", "v11=5",
    "v12=9",
  ])
  func `a value that does not fit becomes unknown, and is told`(line: String) throws {
    var board = try Greenhouse()
    board.introduce()
    board.say(#"v1="x"#, "v2=0", "v3=5", "v4=1", "v5=1", #"v9="x"#, "v11=1", "v12=1")
    let outputs = board.say(line)
    #expect(outputs.logs.count == 1)
    #expect(board.talk.changes.last?.value == .unknown)
  }

  @Test func `values of no entity and lines that mean nothing are passed over`() throws {
    var board = try Greenhouse()
    board.introduce()
    let before = board.talk.changes.count
    for line in ["v14=1", "v99=?", "v8=1", "v10=0", "e10=2", "e5=0", "e99=0", "a0+", "z9", "v", "d3|sx|X"] {
      board.say(line)
    }
    #expect(board.talk.changes.count == before)
  }

  @Test func `events are told with the key of their entity`() throws {
    var board = try Greenhouse()
    board.introduce()
    #expect(board.say("e10=1").events == [.event("long", ["property": "bell"])])
  }

  @Test func `a command waits for its answer, and the next for the one before`() throws {
    var board = try Greenhouse()
    board.introduce()
    #expect(board.talk.command(1, Command("pump", true)).lines == ["C05=1"])
    #expect(board.talk.command(2, Command("mode", "manual"), Command("target", 21.5)).sent.isEmpty)
    #expect(board.say("a0+", "v5=1").lines == ["C17=1"])
    #expect(board.say("a1+").lines == ["C26=21.5"])
    #expect(board.say("a2+").sent.isEmpty)
    #expect(board.talk.pass(.seconds(10)).rejections.isEmpty)
  }

  @Test func `every kind of command goes as the board expects it`() throws {
    let expected: [(Command, String)] = [
      (Command("pump", false), "C05=0"), (Command("target", .number(5)), "C06=5"),
      (Command("water", .unknown), "C08="),
      (Command("message", "a~b"), #"C09="a\7eb"#), (Command("message", ""), #"C09=""#),
      (Command("door", "LOCK"), "C011=1"), (Command("door", "UNLOCK"), "C011=0"),
      (Command("roof", "OPEN"), "C012=1"), (Command("roof", "CLOSE"), "C012=0"),
      (Command("roof", "STOP"), "C012=2"), (Command("mode", "away"), "C07=2"),
      (Command("target", .number(0.1 + 0.2 + 20)), "C06=20.3"),
    ]
    for (command, line) in expected {
      var board = try Greenhouse()
      board.introduce()
      #expect(board.talk.command(1, command).lines == [line])
    }
  }

  @Test func `what the board cannot take is refused and not sent, with all that came with it`() throws {
    var board = try Greenhouse()
    board.introduce()
    let long = Value.text(String(repeating: "x", count: 17))
    let escaped = Value.text(String(repeating: "~", count: 16))
    for (value, reason): (Value, Rejection.Reason) in [(long, .outOfRange), (escaped, .tooLarge)] {
      let outputs = board.talk.command(1, Command("pump", true), Command("message", value))
      #expect(outputs.sent.isEmpty)
      #expect(outputs.rejections.map(\.property) == ["message"])
      #expect(outputs.reasons == [reason])
    }
    for (command, reason): (Command, Rejection.Reason) in [
      (Command("target", 21.55), .invalid), (Command("nothing", 1), .unknownProperty),
      (Command("window", true), .readOnly), (Command("bell", "short"), .readOnly),
      (Command("pump", verb: .put, true), .unsupported), (Command("message", "a\0b"), .invalid),
    ] {
      let outputs = board.talk.command(2, command)
      #expect(outputs.sent.isEmpty)
      #expect(outputs.reasons == [reason], "\(command)")
    }
  }

  @Test func `a refusal is told in the board's words, and the rest of its batch is not sent`() throws {
    var board = try Greenhouse()
    board.introduce()
    _ = board.talk.command(7, Command("pump", true), Command("mode", "away"))
    let outputs = board.say("a0-n|the window is open")
    #expect(outputs.rejections.map(\.property) == ["pump"])
    #expect(outputs.rejections.first?.rejection.explanation.contains("the window is open") == true)
    #expect(outputs.rejections.first?.rejection.explanation.hasSuffix(": mode") == true)
    #expect(outputs.reasons == [.notNow])
    #expect(outputs.sent.isEmpty)
    #expect(board.talk.command(8, Command("pump", true)).lines == ["C15=1"])
  }

  @Test func `a command without an answer is said again with its sequence, and then has failed`() throws {
    var board = try Greenhouse()
    board.introduce()
    _ = board.talk.command(1, Command("water", .unknown))
    _ = board.talk.command(2, Command("pump", true))
    let outputs = board.talk.pass(.seconds(7))
    #expect(outputs.lines == ["C08=", "C08=", "C15=1"])
    #expect(outputs.rejections.map(\.number) == [1])
    #expect(outputs.reasons == [.timeout])
    #expect(board.say("a0+").lines.isEmpty)
    #expect(board.talk.pass(.seconds(6)).reasons == [.timeout])
  }

  @Test func `a command is not repeated to a board that has started anew`() throws {
    var board = try Greenhouse()
    board.introduce()
    _ = board.talk.command(1, Command("water", .unknown))
    let outputs = board.say([board.hello])
    #expect(outputs.reasons == [.linkError])
    #expect(outputs.lines == ["Gfa8d5281"])
    board.greet()
    #expect(board.talk.pass(.seconds(10)).lines.allSatisfy { !$0.hasPrefix("C") })
  }

  @Test func `nor across links`() throws {
    var board = try Greenhouse()
    board.introduce()
    _ = board.talk.command(1, Command("water", .unknown))
    _ = board.talk.command(2, Command("pump", true))
    #expect(board.talk.disconnect().reasons == [.linkError, .linkError])
    _ = board.talk.connect()
    board.say([board.hello])
    board.greet()
    #expect(board.talk.pass(.seconds(10)).lines.allSatisfy { !$0.hasPrefix("C") })
    #expect(board.talk.command(3, Command("pump", true)).lines.count == 1)
  }

  @Test func `a command for a board that is not greeted yet waits ten seconds at most`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    _ = board.talk.command(1, Command("pump", true))
    board.say([board.hello])
    board.say(board.descriptions)
    #expect(board.say("gfa8d5281").lines == ["C05=1"])

    board = try Greenhouse()
    _ = board.talk.connect()
    #expect(board.talk.command(1, Command("pump", true)).sent.isEmpty)
    #expect(board.talk.pass(.seconds(10)).reasons == [.timeout])
    #expect(board.talk.command(2, Command("pump", true)).sent.isEmpty)
    #expect(board.talk.disconnect().reasons == [.linkError])
    #expect(board.talk.command(3, Command("pump", true)).reasons == [.away])
  }

  @Test func `more commands than can wait are refused as busy`() throws {
    var board = try Greenhouse()
    board.introduce()
    for number in 0..<33 {
      #expect(board.talk.command(UInt64(number), Command("pump", true)).reasons.isEmpty)
    }
    #expect(board.talk.command(33, Command("pump", true)).reasons == [.busy])
  }

  @Test func `a quiet board is pinged, and given up after three pings without a line`() throws {
    var board = try Greenhouse()
    board.introduce()
    board.say("v0=20")
    #expect(board.talk.pass(.seconds(16)).lines == ["P"])
    #expect(board.say("p9|0|0").sent.isEmpty)
    #expect(board.talk.pass(.seconds(15)).lines == ["P"])
    board.say("v0=22")
    let outputs = board.talk.pass(.seconds(25))
    #expect(outputs.lines == ["P", "P", "P"])
    #expect(!outputs.hasFailed)
    #expect(board.talk.pass(.seconds(5)).hasFailed)
  }

  @Test func `lost lines are noticed, and all values asked for once in ten seconds`() throws {
    var board = try Greenhouse()
    board.introduce()
    board.say("v0=20")
    #expect(board.say("p10|0|0").lines == ["R"])
    #expect(board.say("v5=1", "p15|0|0").sent.isEmpty)
    #expect(board.talk.state["pump"] == true)
    #expect(board.say("v5=0", "p19|0|0").sent.isEmpty)
    _ = board.talk.pass(.seconds(10))
    #expect(board.say("p20|0|0").lines == ["R"])
  }

  @Test func `what the board could not read is told`() throws {
    var board = try Greenhouse()
    board.introduce()
    #expect(board.say("p8|2|0").logs.count == 1)
    #expect(board.say("p9|2|0").logs.isEmpty)
    #expect(board.say("p10|2|3").logs.count == 1)
  }

  @Test func `a refresh asks for all values`() throws {
    var board = try Greenhouse()
    board.introduce()
    #expect(board.talk.feed(.refresh).lines == ["R"])
  }

  @Test func `the board is told when the bridge leaves`() throws {
    var board = try Greenhouse()
    #expect(board.talk.feed(.stopping).sent.isEmpty)
    board.introduce()
    #expect(board.talk.feed(.stopping).lines == ["B"])
  }

  @Test func `new firmware with other entities takes the place of the old`() throws {
    var board = try Greenhouse()
    board.introduce()
    let descriptions = ["d0|wpump|Fountain", "d1|slevel|Level|u%"].map { Array($0.utf8) }
    let token = LineForm.Token(
      hello: Array("h1|00000000|3fa9c210+|48|2|Greenhouse|v2.0".utf8), descriptions: descriptions)
    #expect(board.say("h1|\(token)|3fa9c210+|48|2|Greenhouse|v2.0").lines == ["D"])
    let outputs = board.say(descriptions)
    #expect(outputs.lines == ["G\(token)"])
    #expect(outputs.descriptions.first?.properties.map(\.key) == ["pump", "level"])
    #expect(outputs.descriptions.first?.softwareVersion == "2.0")
    board.say("g\(token)", "v0=1", "v1=50")
    #expect(board.talk.state["pump"] == true)
    #expect(board.talk.state["level"] == .number(50))
    #expect(board.talk.command(1, Command("pump", false)).lines == ["C00=0"])
  }

  @Test func `power lost in the middle of a line, and back`() throws {
    var board = try Greenhouse()
    board.introduce()
    _ = board.talk.receive("~v0=2")
    let outputs = board.talk.receive(LineForm.framed(board.hello))
    #expect(outputs.undecodableBytes == 5)
    #expect(outputs.lines == ["Gfa8d5281"])
    _ = board.talk.receive("~v0=2")
    #expect(board.talk.disconnect().undecodableBytes == 5)
    _ = board.talk.connect()
    #expect(board.talk.receive("1.5a699\n").undecodableBytes > 0)
    #expect(board.say([board.hello]).lines == ["Gfa8d5281"])
  }

  @Test func `a board with wrong entities keeps the right ones`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    let descriptions = [
      "d0|sgood|Good", "d1|nbad|Bad", "d2|sgood|Twice", "d3|sset|Reserved", "d4|qnew|New", "d5|wmain|",
      "d6|wother|",
    ].map { Array($0.utf8) }
    let token = LineForm.Token(hello: Array("h1|00000000||48|7|Odd".utf8), descriptions: descriptions)
    board.say("h1|\(token)||48|7|Odd")
    let outputs = board.say(descriptions)
    #expect(outputs.lines == ["G\(token)"])
    let properties = try #require(outputs.descriptions.first).properties
    #expect(properties.map(\.key) == ["good", "main", "other"])
    #expect(properties.map(\.name) == ["Good", nil, "other"])
    #expect(outputs.logs.count == 4)
    board.say("g\(token)", "v0=1", "v5=1", "v6=1", "v3=1", "p4|0|0")
    #expect(board.talk.state["other"] == true)
  }

  @Test func `random inputs break no rule`() throws {
    let board = try Greenhouse()
    var phrases = ([board.hello] + board.descriptions).map(LineForm.framed)
    phrases.append(phrases.joined().map(\.self))
    for text in ["gfa8d5281", "v0=1", "v5=1", "a0+", "a1-b", "p3|0|0", "e10=1", "h2|x"] {
      phrases.append(LineForm.framed(Array(text.utf8)))
    }
    phrases.append(phrases.joined().map(\.self))
    var invariants = AdapterInvariants()
    for mayAsk in [true, false] {
      let inputs = RandomInputs(
        properties: LineForm.Board(try LineForm.Hello(board.hello), descriptions: board.descriptions)
          .description.properties, phrases: phrases,
        values: [true, false, 1, 21.5, "LOCK", "OPEN", "away", "hello", .unknown])
      invariants.check(SelfDescribing(mayAsk: mayAsk), with: inputs, rounds: 3000)
    }
    #expect(invariants.handled > 1000)
  }
}
