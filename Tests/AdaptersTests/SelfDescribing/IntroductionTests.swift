import DeviceModel
import Testing

@testable import Adapters

struct `A self-describing board introduces itself` {
  @Test func `nothing is written before its hello`() throws {
    var board = try Greenhouse()
    #expect(board.talk.connect().sent.isEmpty)
    #expect(board.talk.pass(.seconds(59)).sent.isEmpty)
    #expect(board.talk.receive("boot 1.0\r\n~half a line").sent.isEmpty)
    #expect(board.say("v0=21.5", "p1|0|0", "g\(Greenhouse.token)").sent.isEmpty)
    #expect(board.say("h2|new").sent.isEmpty)
    #expect(board.talk.command(1, Command("pump", true)).sent.isEmpty)
  }

  @Test func `one that says nothing fails, so that its link is opened anew`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    #expect(board.talk.pass(.seconds(61)).hasFailed)
  }

  @Test func `one that may be asked is asked when it is silent`() throws {
    var board = try Greenhouse(SelfDescribing(mayAsk: true))
    #expect(board.talk.connect().sent.isEmpty)
    #expect(board.talk.pass(.seconds(2)).sent.isEmpty)
    #expect(board.talk.pass(.seconds(1)).lines == ["W"])
    #expect(board.talk.pass(.seconds(16)).lines == ["W"])
    #expect(board.say([board.hello]).lines == ["D"])
    #expect(board.talk.pass(.seconds(1)).sent.isEmpty)
  }

  @Test func `it is asked what it is, greeted, and told by its values`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    #expect(board.say([board.hello]).lines == ["D"])
    #expect(board.say(Array(board.descriptions.dropLast())).sent.isEmpty)
    let known = board.say([board.descriptions[13]])
    #expect(known.lines == ["Gfa8d5281"])
    let description = try #require(known.descriptions.first)
    #expect(description.properties.count == 14)
    #expect(description.softwareVersion == "1.0")
    #expect(description.model == "UNO")
    #expect(known.remembered.count == 1)
    #expect(!known.isAlive)
    #expect(!board.say("gfa8d5281").isAlive)
    #expect(board.say("v0=21.5").isAlive)
    #expect(board.talk.state["temperature"] == 21.5)
    #expect(board.talk.state["pump"] == .unknown)
    #expect(board.say("v5=1", "p2|0|0").isFinished)
    #expect(board.talk.state["pump"] == true)
  }

  @Test func `its hello said again meanwhile changes nothing`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    #expect(board.say([board.hello, board.hello]).sent.isEmpty)
    #expect(board.say(board.descriptions + [board.hello]).lines == ["Gfa8d5281"])
    #expect(board.say("gfa8d5281", "p0|0|0").isAlive)
  }

  @Test func `one that is known by its token is greeted at once, also after a restart`() throws {
    var board = try Greenhouse()
    board.introduce()
    let description = board.talk.adapter.description
    board.talk.disconnect()
    _ = board.talk.connect()
    #expect(board.say([board.hello]).lines == ["Gfa8d5281"])

    _ = board.talk.connect()
    board.say([board.hello])
    var first = try Greenhouse()
    _ = first.talk.connect()
    first.say([first.hello])
    let kept = try #require(first.say(first.descriptions).remembered.first)
    var later = try Greenhouse()
    #expect(later.talk.feed(.remembered(kept)).descriptions == [description])
    #expect(later.talk.adapter.description == description)
    _ = later.talk.connect()
    #expect(later.say([later.hello]).lines == ["Gfa8d5281"])
  }

  @Test func `what was remembered wrongly is as if it were not`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    guard case .object(var kept)? = board.say(board.descriptions).remembered.first,
      case .list(var list)? = kept["descriptions"]
    else {
      Issue.record("nothing is remembered")
      return
    }
    list[0] = "d0|sother|Other"
    kept["descriptions"] = .list(list)
    for value: Value in [.unknown, .object(kept), ["hello": "h1"], 5] {
      var other = try Greenhouse()
      #expect(other.talk.feed(.remembered(value)).isEmpty)
      _ = other.talk.connect()
      #expect(other.say([other.hello]).lines == ["D"])
    }
  }

  @Test func `what got lost of its description is asked for one by one`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    let bodies = board.descriptions
    board.say(Array(bodies[0..<5] + bodies[6..<13]))
    #expect(board.talk.pass(.seconds(2)).lines == ["D5"])
    #expect(board.say([bodies[5]]).lines == ["D13"])
    #expect(board.say([bodies[13]]).lines == ["Gfa8d5281"])
  }

  @Test func `one that does not describe itself is left alone until it says hello again`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    #expect(board.talk.pass(.seconds(30)).lines == ["D0", "D0", "D0"])
    #expect(board.say([board.hello]).lines == ["D"])
  }

  @Test func `a description that does not match the token is asked for once more`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    var bodies = board.descriptions
    bodies[3] = Array("d3|sother|Other".utf8)
    #expect(board.say(bodies).lines == ["D"])
    #expect(board.say(board.descriptions).lines == ["Gfa8d5281"])

    board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    board.say(bodies)
    let outputs = board.say(bodies)
    #expect(outputs.sent.isEmpty)
    #expect(outputs.descriptions.isEmpty)
    #expect(outputs.logs.count == 1)
  }

  @Test func `a greeting that is lost is said again, three times`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    board.say([board.hello])
    board.say(board.descriptions)
    #expect(board.talk.pass(.seconds(20)).lines == ["Gfa8d5281", "Gfa8d5281"])
    #expect(board.say("gfa8d5281", "v0=1").isAlive == false)
    #expect(board.say([board.hello]).lines == ["Gfa8d5281"])
  }

  @Test func `one that says hello but hears no greeting fails, so that its link is opened anew`() throws {
    var board = try Greenhouse()
    board.introduce()
    var outputs: [Output] = []
    for _ in 0..<4 where !outputs.hasFailed {
      board.say([board.hello])
      outputs = board.talk.pass(.seconds(16))
    }
    #expect(outputs.hasFailed)
  }

  @Test func `a board without an identity that keeps one is given one`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    let bare = LineForm.Token(hello: Array("h1|00000000|+|48|0|Bare".utf8), descriptions: [])
    let asked = board.say("h1|\(bare)|+|48|0|Bare")
    #expect(asked.contains(.wantRandom(bytes: 4)))
    #expect(asked.sent.isEmpty)
    #expect(board.talk.feed(.random([0x3F, 0xA9, 0xC2, 0x10])).lines == ["I3fa9c210"])
    let named = LineForm.Token(hello: Array("h1|00000000|3fa9c210+|48|0|Bare".utf8), descriptions: [])
    #expect(board.say("h1|\(named)|3fa9c210+|48|0|Bare").lines == ["G\(named)"])
  }

  @Test func `one that does not keep it after all is taken as it is`() throws {
    var board = try Greenhouse()
    _ = board.talk.connect()
    let bare = LineForm.Token(hello: Array("h1|00000000|+|48|0|Bare".utf8), descriptions: [])
    board.say("h1|\(bare)|+|48|0|Bare")
    #expect(board.talk.feed(.random([0, 0, 0, 0])).lines == ["I00000001"])
    #expect(board.talk.pass(.seconds(2)).lines == ["G\(bare)"])
  }

  @Test func `lines are cut by what the link takes, and joined from what it brings`() throws {
    var board = try Greenhouse()
    _ = board.talk.feed(.linkUp(.board, maximumPacket: 5))
    board.say([board.hello])
    let greeting = board.say(board.descriptions)
    #expect(greeting.lines == ["Gfa8d5281"])
    #expect(greeting.sent.allSatisfy { $0.count <= 5 })
    let bytes = LineForm.framed(Array("gfa8d5281".utf8)) + LineForm.framed(Array("v5=1".utf8))
    for byte in bytes { _ = board.talk.receive([byte]) }
    #expect(board.talk.state["pump"] == true)
  }
}
