import DeviceModel
import Testing

@testable import Adapters

struct `A TV volume leveller` {
  /// In talk with a test; the link takes keys at once.
  private struct Talk {
    var talk: Conversation
    private(set) var outputs: [Output] = []
    private var batch: UInt64 = 0

    init(_ settings: TVVolumeSettings = TVVolumeSettings(), isUp: Bool = true) {
      talk = Conversation(TVVolume(settings))
      note(talk.feed(.remembered(.unknown)))
      if isUp { note(talk.connect()) }
    }

    mutating func feed(_ input: Input) { note(talk.feed(input)) }

    mutating func note(_ new: [Output]) {
      outputs += new
      for case .send(let send) in new {
        if let number = send.number { outputs += talk.feed(.sent(number)) }
      }
    }

    mutating func set(_ values: (PropertyKey, Value)..., after time: Duration = .milliseconds(600)) {
      note(talk.pass(time))
      outputs.removeAll()
      batch += 1
      note(talk.feed(.commands(CommandBatch(number: batch, values.map { Command($0.0, $0.1) }))))
    }

    mutating func levels(_ level: Double, _ count: Int) -> String {
      var keys = ""
      for _ in 0..<count {
        set(("level", .number(level)))
        keys += self.keys
      }
      return keys
    }

    var keys: String { outputs.sent.map { String(decoding: $0, as: UTF8.self) }.joined() }
    var events: [String] { outputs.compactMap { if case .event(let type, _) = $0 { type } else { nil } } }
    var state: [PropertyKey: Value] { talk.state }
    mutating func forget() { outputs.removeAll() }
  }

  @Test func `commands do as their vectors say`() throws {
    for vector in try Vectors.load("tv-volume-commands.json") {
      var tv = Talk()
      let key = try #require(PropertyKey(vector.text("property") ?? ""))
      var value = vector["value"] ?? .unknown
      if case .integer(let integer) = value { value = .number(Double(integer)) }
      tv.set((key, value))
      let comment = Comment(rawValue: vector.text("why") ?? "")
      #expect(tv.keys == vector.text("sent") ?? "", comment)
      #expect(tv.outputs.reasons.map(\.rawValue) == [vector.text("reason")].compactMap(\.self), comment)
    }
  }

  @Test func `nothing is played before levelling is on, and the level is shown all the same`() {
    var tv = Talk()
    #expect(tv.levels(-10, 20) == "")
    #expect(tv.state["level"] == -10.0)
    #expect(tv.state["levelling"] == false)
    #expect(tv.state["last_key"] == "none")
    tv.set(("levelling", true))
    #expect(tv.levels(-10, 3) == "DDD")
    #expect(tv.state["last_key"] == "down")
    tv.set(("levelling", false))
    #expect(tv.levels(-10, 3) == "")
  }

  @Test func `a target is kept over a restart, and so is levelling`() {
    var tv = Talk()
    tv.set(("target", -40.0), ("levelling", true))
    let kept = tv.outputs.compactMap { if case .remember(let value) = $0 { value } else { nil } }.last
    var later = Talk(isUp: false)
    later.feed(.remembered(kept ?? .unknown))
    #expect(later.state["target"] == -40.0)
    #expect(later.state["levelling"] == true)
    for nonsense: Value in ["x", ["target": 7, "levelling": "maybe"], [1]] {
      var tv = Talk(isUp: false)
      tv.feed(.remembered(nonsense))
      #expect(tv.state["target"] == -25.0)
      #expect(tv.state["levelling"] == false)
    }
  }

  @Test func `keys come no faster than the TV can follow`() {
    var tv = Talk()
    tv.set(("levelling", true))
    var keys = 0
    for _ in 0..<50 {
      tv.set(("level", -5.0), after: .milliseconds(100))
      keys += tv.keys.count
    }
    #expect((9...11).contains(keys))
  }

  @Test func `keys in a row are bounded, told once, and start anew by hand`() {
    var settings = TVVolumeSettings()
    settings.mostKeys = 3
    var tv = Talk(settings)
    tv.set(("levelling", true))
    #expect(tv.levels(-5, 3) == "DDD")
    tv.set(("level", -5.0))
    #expect(tv.events == ["limit_reached"])
    #expect(tv.levels(-5, 10) == "")
    #expect(tv.events == [])
    tv.set(("volume_down", .unknown))
    #expect(tv.keys == "D")
    #expect(tv.levels(-5, 3) == "DDD")
  }

  @Test func `the microphone's sound is levelled, and its death is told`() {
    var tv = Talk()
    tv.set(("levelling", true))
    tv.feed(.linkUp(.microphone, maximumPacket: nil))
    let loud: [UInt8] = Array((0..<8192).map { _ in [0x00, 0x40] }.joined())
    tv.forget()
    tv.feed(.received(.microphone, loud))
    #expect(tv.keys == "D")
    #expect(tv.state["level"] == -6.0)
    tv.set(("level", -30.0))
    #expect(tv.outputs.reasons == [.notNow])
    tv.forget()
    tv.feed(.linkDown(.microphone, "exit 1"))
    #expect(tv.events == ["microphone_lost"])
    #expect(tv.state["level"] == .unknown)
    tv.set(("level", -30.0))
    #expect(tv.state["level"] == -30.0)
  }

  @Test func `a level that nobody feeds any more is unknown`() {
    var tv = Talk()
    tv.set(("level", -30.0))
    #expect(tv.state["level"] == -30.0)
    tv.note(tv.talk.pass(.seconds(9)))
    #expect(tv.state["level"] == -30.0)
    tv.note(tv.talk.pass(.seconds(2)))
    #expect(tv.state["level"] == .unknown)
  }

  @Test func `silence is shown as the floor`() {
    var tv = Talk()
    _ = tv.levels(-30, 3)
    _ = tv.levels(-120, 20)
    #expect(tv.state["level"] == -120.0)
  }

  @Test func `a key that does not leave fails, and is not played later`() {
    var talk = Conversation(TVVolume())
    _ = talk.connect()
    let outputs = talk.command(1, Command("volume_up", .unknown))
    var number: UInt64?
    for case .send(let send) in outputs {
      number = send.number
      #expect(send.policy == .expires(.seconds(2)))
    }
    let failed = talk.feed(.notSent(number ?? 0, "no"))
    #expect(failed.reasons == [.linkError])
    _ = talk.command(2, Command("volume_up", .unknown))
    #expect(talk.disconnect().reasons == [.linkError])
    #expect(talk.connect().sent == [])
    talk.disconnect()
    #expect(talk.command(3, Command("volume_up", .unknown)).reasons == [.away])
  }

  @Test func `levelling asks for no key before the last one has left`() {
    var talk = Conversation(TVVolume())
    _ = talk.connect()
    _ = talk.command(1, Command("levelling", true))
    var sends: [Output.Send] = []
    for number in 2..<20 {
      _ = talk.pass(.seconds(1))
      for case .send(let send) in talk.command(UInt64(number), Command("level", .number(-5))) {
        sends.append(send)
      }
    }
    #expect(sends.count == 1)
    _ = talk.feed(.notSent(sends.first?.number ?? 0, "no answer"))
    #expect(talk.command(20, Command("level", .number(-5))).sent == [Array("D".utf8)])
  }

  @Test func `any sound and any commands are survived`() {
    let inputs = RandomInputs(
      properties: TVVolume().description.properties, phrases: [[0, 0x40], [0xFF, 0x7F, 0]],
      values: [.unknown, true, false, -25.0, -200.0, 3.0, "up", [:]])
    var invariants = AdapterInvariants()
    invariants.check(TVVolume(), with: inputs, rounds: 3000)
    #expect(invariants.handled > 300)
  }
}
