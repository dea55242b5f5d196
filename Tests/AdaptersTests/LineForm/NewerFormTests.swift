import DeviceModel
import Testing

@testable import Adapters

/// What the newer sketch of the pet door says of itself.
private let doorLines = [
  "d0|llock|Lock", "d1|wmanual_lock|Manual lock", "d2|blatch|Latch|clock",
  "d3|stemperature|Outside temperature|u°C|ctemperature|sm|p1", "d4|slight|Light|sm|p0",
  "d5|nlight_threshold|Light threshold|r30:993:1|p0|gc", "d6|bpet_home|Pet|cpresence",
  "d7|spassages_in|Passages in|si|p0", "d8|epassage|Passage|opassed_in|opassed_out", "d9|sbattery|Battery|u%",
]
private let plugLines = [
  "d0|wpower||coutlet", "d1|omode|Mode|oautomatic|omanual", "d2|jschedule|Schedule|n2|l112",
  "d3|inext_switch|Next switch", "d4|trunning|Running|l20", "d5|bclash|Clash|cproblem",
]

/// A board in talk with a test that can speak in lines.
private struct Newer {
  var talk: Conversation
  let descriptions: [String]
  let hello: String
  let token: LineForm.Token

  init(_ adapter: any Adapter, _ descriptions: [String]) {
    talk = Conversation(adapter)
    self.descriptions = descriptions
    let rest = "|3fa9c210+|128|\(descriptions.count)|Board|v2.0"
    token = LineForm.Token(
      hello: Array("h1|00000000\(rest)".utf8), descriptions: descriptions.map { Array($0.utf8) })
    hello = "h1|\(token)\(rest)"
  }

  @discardableResult
  mutating func say(_ bodies: String...) -> [Output] { say(bodies) }

  @discardableResult
  mutating func say(_ bodies: [String]) -> [Output] {
    talk.receive(bodies.flatMap { LineForm.framed(Array($0.utf8)) })
  }

  mutating func introduce() {
    say(hello)
    say(descriptions)
    say("g\(token)")
  }
}

struct `A pet door with a newer sketch` {
  private func door(_ choice: NewerForm.Choice) -> Newer {
    Newer(TwoForms(PetDoor(), .petDoor, choice: choice), doorLines)
  }

  @Test func `its additions are there with their own names, and the lock is not assumed`() throws {
    var door = door(.classic)
    _ = door.talk.connect()
    door.say(door.hello)
    let description = try #require(door.say(door.descriptions).descriptions.first)
    #expect(
      description.properties.map(\.key) == [
        "lock", "manual_lock", "latch", "temperature", "light", "light_threshold", "pet_home", "passages_in",
        "battery",
      ])
    #expect(description["lock"]?.name == nil)
    #expect(description["manual_lock"]?.isAssumed == false)
    #expect(description["temperature"]?.name == "Temperature")
    #expect(description.eventTypes == ["passed_in", "passed_out"])
    #expect(description.softwareVersion == "2.0")
    guard case .number(let range, _)? = description["light_threshold"]?.kind else {
      Issue.record("no threshold")
      return
    }
    #expect(range == .init(30...993))
    door.say("g\(door.token)", "v0=1", "v1=0", "v2=0", "v3=21.5", "v4=731", "v6=1", "v7=5", "p7|0|0")
    #expect(door.talk.state["lock"] == "LOCKED")
    #expect(door.talk.state["manual_lock"] == false)
    #expect(door.talk.state["light"] == .number(731))
    #expect(door.talk.state["pet_home"] == true)
    #expect(door.say("e8=0").events == [.event("passed_in", [:])])
    #expect(door.talk.command(1, Command("lock", "LOCK")).lines == ["C00=1"])
    #expect(door.say("a0+", "v0=2").sent.isEmpty)
    #expect(door.talk.state["lock"] == "LOCKING")
  }

  @Test func `until it says hello it is the classic door, and nothing in lines is written to it`() throws {
    var door = door(.classic)
    #expect(door.talk.connect().sent.isEmpty)
    #expect(door.talk.receive("m:0").contains(.alive))
    #expect(door.talk.receive("s:1;t:21.50").sent.isEmpty)
    #expect(door.talk.state["lock"] == "UNLOCKED")
    #expect(door.talk.command(1, Command("lock", "LOCK")).sent == [[0x31]])
    #expect(door.say("v0=1", "h2|x", "g\(door.token)", "p0|0|0").sent.isEmpty)
    #expect(door.talk.receive("s:0;t:21.50").contains(.alive))
    #expect(door.talk.state["lock"] == "LOCKED")
  }

  @Test func `a command to the classic form fails when the lines take over, and the old bytes count no more`()
  {
    var door = door(.classic)
    _ = door.talk.connect()
    _ = door.talk.receive("s:1;t:21.50")
    _ = door.talk.command(1, Command("lock", "LOCK"))
    let outputs = door.say(door.hello)
    #expect(outputs.reasons == [.linkError])
    #expect(outputs.lines == ["D"])
    door.say(door.descriptions)
    door.say("g\(door.token)", "v0=1")
    #expect(door.talk.receive("s:1;t:21.50").isEmpty)
    #expect(door.talk.state["lock"] == "LOCKED")
  }

  @Test func `one that its owner says is new is asked, and nothing else is written to it meanwhile`() {
    var door = door(.lines)
    #expect(door.talk.connect().sent.isEmpty)
    #expect(door.talk.pass(.seconds(1)).lines == ["W"])
    #expect(door.talk.receive("s:1;t:21.50").isEmpty)
    #expect(door.talk.command(1, Command("lock", "LOCK")).sent.isEmpty)
    #expect(door.say(door.hello).lines == ["D"])
    door.say(door.descriptions)
    #expect(door.say("g\(door.token)").lines == ["C00=1"])
  }

  @Test func `one that does not answer in lines is the classic door after all`() {
    var door = door(.lines)
    _ = door.talk.connect()
    _ = door.talk.command(1, Command("lock", "LOCK"))
    let outputs = door.talk.pass(.seconds(7))
    #expect(outputs.sent == [LineForm.BridgeLine.whoAreYou.bytes, [0x31]])
    #expect(door.talk.receive("s:1;t:21.50").contains(.alive))
    #expect(door.talk.pass(.seconds(20)).sent.isEmpty)
  }

  @Test func `it is known again after a restart, and forgotten when its old sketch is back`() throws {
    var door = door(.lines)
    _ = door.talk.connect()
    door.say(door.hello)
    let kept = try #require(door.say(door.descriptions).remembered.first)
    var later = self.door(.lines)
    #expect(later.talk.feed(.remembered(kept)).descriptions.first?["light"] != nil)
    _ = later.talk.connect()
    #expect(later.say(later.hello).lines == ["G\(later.token)"])
    later.talk.disconnect()
    _ = later.talk.connect()
    let outputs = later.talk.pass(.seconds(7))
    #expect(outputs.descriptions.first == NewerForm.petDoor.classic)
    #expect(outputs.remembered == [.unknown])
  }

  @Test func `a damaged line costs no classic message`() {
    var door = door(.classic)
    _ = door.talk.connect()
    let outputs = door.talk.receive("s:1;t:21.50\n~h1|brok\ns:0;t:20.00\n")
    #expect(outputs.count { $0 == .alive } == 2)
    #expect(door.talk.state["latch"] == false)
    #expect(outputs.sent.isEmpty)
  }
}

struct `A power plug with a newer sketch` {
  private func plug(_ choice: NewerForm.Choice) -> Newer {
    Newer(TwoForms(PowerPlug(slots: 2), .powerPlug, choice: choice), plugLines)
  }

  @Test func `its schedule is rows, with their switching times and without them when they are sent`() {
    var plug = plug(.lines)
    _ = plug.talk.connect()
    plug.introduce()
    let outputs = plug.say(
      "v0=1", "v1=1", #"v2=0:{"name":"pump","start":"2026-11-30T08:00:00Z","length":30,"period":1440}"#,
      "v2=1:null", "v3=?", #"v4="none"#, "v5=0", "p7|0|0")
    #expect(outputs.isFinished)
    #expect(plug.talk.state["power"] == true)
    #expect(plug.talk.state["mode"] == "manual")
    #expect(
      plug.talk.state["schedule"] == [
        [
          "name": "pump", "start": "2026-11-30T08:00:00Z", "length": 30, "period": 1440,
          "next_on": "2026-11-30T08:00:00Z", "next_off": "2026-11-30T08:30:00Z",
        ]
      ])
    guard let told = plug.talk.state["schedule"], case .list(let rows) = told else { return }
    #expect(plug.talk.command(1, Command("schedule", .list(rows))).sent.isEmpty)
    let tea: Value = ["name": "tea", "start": "2026-11-30T09:00:00+01:00", "length": 5, "period": 0]
    #expect(
      plug.talk.command(2, Command("schedule", verb: .put, tea)).lines == [
        #"C02=p{"name":"tea","start":"2026-11-30T08:00:00Z","length":5,"period":0}"#
      ])
    #expect(plug.say("a0+").sent.isEmpty)
    #expect(plug.talk.command(3, Command("schedule", verb: .delete, "pump")).lines == [#"C12=d"pump""#])
    #expect(
      plug.talk.command(4, Command("schedule", verb: .put, ["name": "x", "length": 0])).reasons == [.invalid])
    #expect(plug.say("a1+").sent.isEmpty)
    #expect(plug.talk.command(5, Command("mode", "automatic")).lines == ["C21=0"])
  }

  @Test func `a mark in a classic table begins no line`() throws {
    var classic = plug(.classic)
    _ = classic.talk.connect()
    let name = Array("a~h1|lamp".utf8)
    let slot = name + [UInt8](repeating: 0, count: 21 - name.count) + [0, 0, 0, 0x70, 30, 0, 60, 0]
    let outputs = classic.talk.receive([0x53, 0, 1, 0x41] + slot + [UInt8](repeating: 0, count: 29))
    #expect(outputs.undecodableBytes == 0)
    guard case .list(let rows)? = classic.talk.state["schedule"], case .object(let row)? = rows.first else {
      Issue.record("no schedule")
      return
    }
    #expect(row["name"] == "a~h1|lamp")
    #expect(classic.say(classic.hello).lines == ["D"])
  }

  @Test func `a classic board is spoken to exactly as without a newer form`() throws {
    let phrases: [[UInt8]] = [
      [0x53, 0, 1], [0x53, 1, 0], [0x41] + [UInt8](repeating: 0, count: 58), [0x53, 0], [1], [0x41], [0x42],
      [UInt8](repeating: 0, count: 29),
    ]
    for seed in 0..<20 {
      var plain = Conversation(PowerPlug(slots: 2))
      var wrapped = Conversation(TwoForms(PowerPlug(slots: 2), .powerPlug, choice: .classic))
      var number = seed &* 7919 &+ 13
      for round in 0..<200 {
        number = (number &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
        let input: Input =
          switch (number >> 8) % 8 {
          case 0: .linkUp(.board, maximumPacket: nil)
          case 1: .linkDown(.board, "gone")
          case 2:
            .commands(CommandBatch(number: UInt64(round), [Command("power", .boolean(number & 1 == 0))]))
          case 3: .refresh
          default: .received(.board, phrases[(number >> 12) % phrases.count])
          }
        let before = plain.feed(input).filter(\.isOfClassic)
        #expect(wrapped.feed(input).filter(\.isOfClassic) == before)
        #expect(wrapped.pass(.milliseconds(400)).filter(\.isOfClassic) == plain.pass(.milliseconds(400)))
      }
    }
  }
}

extension Output {
  /// Not about the line form's timers.
  fileprivate var isOfClassic: Bool {
    if case .cancelTimer(let name) = self { return !name.hasPrefix("line_") && !name.hasPrefix("form_") }
    return true
  }
}
