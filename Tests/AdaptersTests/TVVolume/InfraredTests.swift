import DeviceModel
import JSON
import Testing

@testable import Adapters

/// A TV's newer board, which answers at once unless it is told to be silent.
private struct NewerTV {
  let descriptions: [String]
  var talk = Conversation(LogicInLines(TVVolume(), choice: .lines))
  let hello: String
  let token: LineForm.Token
  /// Bodies of the commands that went to the board, without their sequence.
  private(set) var commands: [String] = []
  private(set) var outputs: [Output] = []
  /// Of the next command; nil for none.
  var answer: String? = "+"
  private var batch: UInt64 = 0

  /// - Parameter isGreeted: Else it has said hello, and no more.
  init(longest: Int = 88, limit: Int = 250, isGreeted: Bool = true) {
    descriptions = [
      "d0|pvolume_up|Volume up", "d1|pvolume_down|Volume down", "d2|ocode|Code|omute|opower",
      "d3|xinfrared|Infrared|l\(longest)", "d4|tinfrared_received|Infrared received|l120",
    ]
    let rest = "||\(limit)|5|TV|v1.1"
    token = LineForm.Token(
      hello: Array("h1|00000000\(rest)".utf8), descriptions: descriptions.map { Array($0.utf8) })
    hello = "h1|\(token)\(rest)"
    feed(.remembered(.unknown))
    note(talk.connect())
    say(hello)
    if isGreeted { beGreeted() }
  }

  mutating func beGreeted() {
    for body in descriptions + ["g\(token)", "v2=?", "v3=?", "v4=?", "p5|0|0"] { say(body) }
  }

  mutating func feed(_ input: Input) { note(talk.feed(input)) }

  mutating func say(_ bodies: String...) {
    note(talk.receive(bodies.flatMap { LineForm.framed(Array($0.utf8)) }))
  }

  mutating func set(_ values: (PropertyKey, Value)...) {
    outputs.removeAll()
    commands.removeAll()
    batch += 1
    feed(.commands(CommandBatch(number: batch, values.map { Command($0.0, $0.1) })))
  }

  mutating func pass(_ time: Duration) { note(talk.pass(time)) }

  private mutating func note(_ new: [Output]) {
    outputs += new
    var replies: [String] = []
    for case .send(let send) in new {
      let body = String(decoding: send.bytes.dropFirst().dropLast(5), as: UTF8.self)
      guard body.first == "C" else { continue }
      commands.append(String(body.dropFirst(2)))
      if let answer { replies.append("a\(body.dropFirst().prefix(1))\(answer)") }
    }
    for reply in replies { say(reply) }
  }

  var texts: [String] { commands.compactMap { $0.hasPrefix("3=\"") ? String($0.dropFirst(3)) : nil } }
  /// What was published on the topic of received codes.
  var received: [String] {
    outputs.compactMap {
      if case .publish("infrared_received", let bytes) = $0 {
        String(decoding: bytes, as: UTF8.self)
      } else {
        nil
      }
    }
  }
}

struct `A TV's newer board` {
  @Test
  func `that is being greeted is sent no key of its older form, but the same in lines, if that is soon`() {
    var tv = NewerTV(isGreeted: false)
    tv.set(("volume_up", .unknown))
    #expect(!tv.outputs.sent.contains(Array("I".utf8)) && tv.outputs.reasons == [])
    #expect(tv.talk.state["last_key"] == "none", "nothing was played yet")
    tv.pass(.milliseconds(1900))
    tv.beGreeted()
    #expect(tv.commands == ["0="] && tv.talk.state["last_key"] == "up")
    tv.set(("volume_down", .unknown))
    #expect(tv.commands == ["1="] && tv.talk.state["last_key"] == "down")
    tv.pass(.seconds(10))
    #expect(tv.commands == ["1="] && tv.outputs.reasons == [])
  }

  @Test func `that is not greeted in time plays nothing later, and none counts as played`() {
    var tv = NewerTV(isGreeted: false)
    tv.set(("volume_up", .unknown))
    tv.pass(.milliseconds(1000))
    tv.feed(.commands(CommandBatch(number: 90, [Command("volume_down", .unknown)])))
    tv.pass(.milliseconds(1001))
    #expect(tv.outputs.rejections.map(\.number) == [1])
    tv.pass(.milliseconds(1000))
    #expect(
      tv.outputs.rejections.map(\.number) == [1, 90] && tv.outputs.reasons == [.linkError, .linkError])
    tv.set(("levelling", true))
    for _ in 0..<5 {
      tv.pass(.milliseconds(600))
      tv.set(("level", -5.0))
      #expect(!tv.outputs.sent.contains(Array("D".utf8)))
    }
    tv.pass(.milliseconds(2000))
    #expect(tv.talk.state["last_key"] == "none")
    tv.say(tv.hello)
    tv.beGreeted()
    #expect(tv.commands == [])
    tv.set(("level", -5.0))
    #expect(tv.commands == ["1="] && tv.talk.state["last_key"] == "down")
  }

  @Test func `that is lost while it is being greeted plays nothing of before when it is back`() {
    var tv = NewerTV(isGreeted: false)
    tv.set(("volume_up", .unknown))
    tv.feed(.linkDown(.board, "gone"))
    #expect(tv.outputs.reasons == [.linkError])
    tv.feed(.linkUp(.board, maximumPacket: 20))
    tv.say(tv.hello)
    tv.beGreeted()
    #expect(tv.commands == [] && tv.talk.state["last_key"] == "none")
  }

  @Test func `is sent codes as their vectors say`() throws {
    for vector in try Vectors.load("tv-volume-infrared.json") {
      guard case .integer(let longest)? = vector["longest"] else { continue }
      var tv = NewerTV(longest: longest)
      tv.set(("infrared", vector["command"] ?? .unknown))
      let comment = Comment(rawValue: vector.text("why") ?? "")
      if case .list(let texts)? = vector["texts"] {
        #expect(tv.outputs.rejections.map(\.rejection.explanation) == [], comment)
        if vector["is_about"] == nil { #expect(tv.texts.map { .text($0) } == texts, comment) }
        #expect(tv.texts.allSatisfy { $0.utf8.count <= longest }, comment)
      } else {
        #expect(tv.texts == [], comment)
      }
      #expect(tv.outputs.reasons.map(\.rawValue) == [vector.text("reason")].compactMap(\.self), comment)
    }
  }

  /// Whatever is sent comes back when the board tells it.
  @Test(arguments: [16, 17, 36, 88, 120, 200]) func `tells codes in the parts in which they are sent`(
    longest: Int
  ) throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let palette = (0..<Int.random(in: 1...16, using: &random)).map { _ in
        Int.random(in: 50...5000, using: &random)
      }
      let count = Int.random(in: 0...100, using: &random) * 2 + 1
      let timings = (0..<count).map { place in
        Value.integer((palette.randomElement(using: &random) ?? 50) * (place.isMultiple(of: 2) ? 1 : -1))
      }
      var tv = NewerTV(longest: longest)
      tv.set(("infrared", ["timings": .list(timings), "modulation": 36000]))
      #expect(tv.outputs.rejections.isEmpty)
      let texts = tv.texts
      #expect(texts.allSatisfy { $0.utf8.count <= longest })
      for text in texts { tv.say("v4=\"\(text)") }
      let told = try #require(tv.received.first)
      #expect(tv.received.count == 1)
      #expect(try JSON.parse(told) == ["timings": .list(timings), "modulation": 36000])
    }
  }

  @Test func `a code of more than a text's length is said part by part, and nothing comes between`() {
    var tv = NewerTV(longest: 16)
    tv.answer = nil
    tv.set(("infrared", ["timings": [9000, -4500, 562, -1687, 562]]))
    #expect(tv.texts == ["b5,38000;d562"])
    tv.feed(.commands(CommandBatch(number: 9, [Command("volume_up", .unknown)])))
    tv.answer = "+"
    tv.say("a0+")
    #expect(tv.commands.dropFirst() == ["3=\"d1687,4500,9000", "3=\"t00032010", "0="])
  }

  @Test func `a part that the board refuses ends the code, and says why`() {
    var tv = NewerTV(longest: 16)
    tv.answer = "-f|too long"
    tv.set(("infrared", ["timings": [9000, -4500, 562, -1687, 562]]))
    #expect(tv.texts == ["b5,38000;d562"])
    #expect(tv.outputs.reasons == [.full])
    #expect(tv.outputs.rejections.first?.rejection.explanation == "the board refuses: too long")
    tv.answer = "+"
    tv.set(("code", "mute"))
    #expect(tv.commands == ["2=0"])
  }

  @Test func `a wrong code in a batch lets nothing of it be done`() {
    var tv = NewerTV()
    tv.set(("volume_up", .unknown), ("infrared", ["timings": []]))
    #expect(tv.commands == [])
    #expect(tv.outputs.reasons == [.invalid])
  }

  @Test func `a code that it sees is published once, each time that it is seen`() {
    var tv = NewerTV()
    for _ in 0..<2 {
      tv.say("v4=\"b5,0;d562,1687,4500,9000;t00032", "v4=\"t002010", "v4=?")
    }
    #expect(
      tv.received == Array(repeating: #"{"timings":[9000,-4500,562,-1687,562],"modulation":null}"#, count: 2))
    #expect(tv.talk.state["infrared_received"] == .unknown)
  }

  @Test func `what is lost, late or no part of a code is published as nothing`() {
    for values in [
      ["t00032010"], ["b5,0;d562,1687", "t000010"], ["b5,0;d562;t0000", "t0020"], ["b5,0;d562;t000000000"],
      ["b5,0;d562;t00011111"], ["b0,0"], ["b513,0"], ["b5,1000"], ["b5"], ["b5,0;d"], ["b5,0;dx"],
      ["b5,0;d130001"],
      ["b5,0;d1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"], ["b1,0;d1;t00"], ["b1,0;d1;t000g"], [";"], ["~"],
      ["hello"],
      ["b1,0", "x", "d562;t0000"],
    ] {
      var tv = NewerTV()
      for value in values { tv.say("v4=\"\(value)") }
      #expect(tv.received == [], "\(values)")
      // And the next is whole again.
      tv.say("v4=\"b1,38000;d562;t0000")
      #expect(tv.received == [#"{"timings":[562],"modulation":38000}"#], "\(values)")
    }
  }

  @Test func `a code that was begun before the link went is not joined with one after`() {
    var tv = NewerTV()
    tv.say("v4=\"b2,0;d562;t0000")
    tv.talk.disconnect()
    _ = tv.talk.connect()
    tv.say(tv.hello, "g\(tv.token)", "v4=\"t0010", "p1|0|0")
    #expect(tv.received == [])
  }

  @Test func `is described with what it has`() {
    let tv = NewerTV()
    let described = tv.outputs.compactMap { if case .describe(let new) = $0 { new } else { nil } }.last
    #expect(described?["infrared"]?.kind == .infraredEmitter)
    #expect(described?["infrared"]?.isSettable == true)
    #expect(described?["infrared_received"]?.kind == .infraredReceiver)
    #expect(described?["code"]?.kind == .select(["mute", "power"]))
    #expect(TVVolume().description["infrared"] == nil)
  }

  @Test func `plays the code that it knows by a name, and shows it`() {
    var tv = NewerTV()
    tv.set(("code", "power"))
    #expect(tv.commands == ["2=1"])
    tv.say("v2=1")
    #expect(tv.talk.state["code"] == "power")
    tv.answer = "-r"
    tv.set(("code", "mute"))
    #expect(tv.outputs.reasons == [.outOfRange])
  }

  @Test func `any parts are survived, and a code that comes of them is one`() {
    var random = SystemRandomNumberGenerator()
    let parts = [
      "b5,0", "b1,38000", "b512,0", "b", "d562,1687,4500,9000", "d1", "d", "d130001", "t000", "t0000",
      "t00001230",
      "t001", "t0fff", "t0010000", "x", "", "ü", "t000é",
    ]
    var assembly = InfraredAssembly()
    var codes = 0
    for _ in 0..<50_000 {
      let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }
      guard let code = try? assembly.take(text.joined(separator: ";")) else { continue }
      codes += 1
      #expect(
        (1...512).contains(code.timings.count) && code.timings.allSatisfy { (1...130_000).contains($0) })
    }
    #expect(codes > 2)
  }

  @Test func `what is taken for one duration is about the same, and few are left`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      // As a receiver measures NEC.
      let timings = (0..<71).map { place in
        ([560, 560, 560, 1690, 4500, 9000].randomElement(using: &random) ?? 560)
          + Int.random(in: -60...60, using: &random)
          + place % 2
      }
      let palette = try #require(InfraredPalette(timings))
      #expect(palette.durations.count <= 16 && palette.places.count == timings.count)
      for (timing, place) in zip(timings, palette.places) {
        let ratio = Double(timing) / Double(palette.durations[place])
        #expect((0.74...1.35).contains(ratio))
      }
    }
  }
}
