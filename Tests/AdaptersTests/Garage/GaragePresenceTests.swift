import DeviceModel
import Testing

@testable import Adapters

struct `Coming home to the garage` {
  @Test func `who left the home and enters the beacon's region opens the door`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    #expect(garage.isArmed())
    garage.pass(600)
    garage.phone("enter", "Home")
    #expect(garage.pulses.isEmpty)
    garage.phone("enter", "Garage")
    #expect(garage.pulses == ["48151O=1"])
    #expect(!garage.isArmed())
    #expect(garage.happened("opened").map { $0["source"] } == ["owntracks"])
  }

  @Test func `after the first start nobody is out, whoever enters`() throws {
    var garage = try GarageTalk()
    garage.phone("enter", "Garage")
    garage.presence("enter")
    garage.pass(100)
    #expect(garage.sent.isEmpty)
  }

  @Test func `a beacon that comes and goes opens once`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    for _ in 0..<20 {
      garage.phone("enter", "Garage")
      garage.pass(15)
      garage.phone("leave", "Garage")
      garage.pass(15)
    }
    #expect(garage.pulses.count == 1)
  }

  @Test func `two persons in one car open once, and both are in`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", person: "anna")
    garage.phone("leave", "Home", person: "ben")
    garage.isReachable = false
    garage.phone("enter", "Garage", person: "anna")
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.isArmed("anna") && garage.isArmed("ben"))
    garage.connect()
    #expect(garage.pulses == ["48151O=1"])
    #expect(!garage.isArmed("anna") && !garage.isArmed("ben"))
  }

  @Test func `an arrival while the door is presumed open sends nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", person: "ben")
    garage.command("door", "OPEN")
    garage.pass(40)
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.pulses == ["48151O=1"])
    #expect(!garage.isArmed("ben"))
  }

  @Test func `each person opens with the own PIN`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", person: "ben")
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.pulses == ["62342O=1"])
    #expect(garage["last_opened_by"] == "Ben")
  }

  @Test func `who leaves again while the door is being opened is out`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.isReachable = false
    garage.pass(60)
    garage.phone("enter", "Garage")
    garage.pass(2)
    garage.phone("leave", "Home")
    garage.connect()
    #expect(garage.pulses.count == 1)
    #expect(garage.isArmed())
  }

  // MARK: what must not open

  @Test func `a retained message does nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", isRetained: true)
    #expect(!garage.isArmed())
    garage.phone("leave", "Home")
    garage.phone("enter", "Garage", isRetained: true)
    #expect(garage.sent.isEmpty)
    #expect(garage.isArmed())
  }

  @Test func `a stale arrival opens nothing, and is said`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.pass(600)
    garage.phone("enter", "Garage", after: -121)
    #expect(garage.sent.isEmpty)
    #expect(garage.happened("refused").map { $0["reason"] } == ["stale"])
    #expect(!garage.isArmed(), "the person is home: the beacon's next coming and going must not open")
  }

  @Test func `an arrival from the future opens nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.phone("enter", "Garage", after: 31)
    #expect(garage.sent.isEmpty)
    #expect(garage.happened("refused").map { $0["reason"] } == ["future"])
  }

  @Test func `replays and duplicates open nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.pass(60)
    garage.phone("enter", "Garage")
    #expect(garage.pulses.count == 1)
    garage.pass(55)
    // The whole way once more, as it was dated.
    garage.phone("leave", "Home", after: -115)
    garage.phone("enter", "Garage", after: -55)
    #expect(garage.pulses.count == 1)
    try garage.restart()
    garage.phone("leave", "Home", after: -115)
    garage.phone("enter", "Garage", after: -55)
    #expect(garage.pulses.count == 1)
  }

  @Test func `a leaving that arrives after the arrival does not arm`() throws {
    var garage = try GarageTalk()
    garage.phone("enter", "Garage", after: -5)
    garage.phone("leave", "Home", after: -30)
    #expect(!garage.isArmed())
  }

  @Test func `an arrival of before the last leaving opens nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", after: -100)
    garage.phone("leave", "Home", after: -10)
    garage.phone("enter", "Garage", after: -50)
    #expect(garage.sent.isEmpty)
    #expect(garage.isArmed())
  }

  @Test func `encrypted payloads are refused with their reason, once`() throws {
    var garage = try GarageTalk()
    garage.message(["_type": "encrypted", "data": "AAAA"])
    garage.message(["_type": "encrypted", "data": "BBBB"])
    let refused = garage.happened("refused")
    #expect(refused.map { $0["reason"] } == ["encrypted"])
    #expect(refused.first?.text("error")?.contains("encrypted") == true)
  }

  @Test(arguments: ["", "enter", "{", "[]", "null", #"{"_type":"lwt","tst":1764486000}"#, "\u{0}\u{1}"])
  func `nonsense of a phone does nothing`(payload: String) throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.message(Array(payload.utf8))
    garage.message([0xFF, 0xFE])
    #expect(garage.sent.isEmpty)
    #expect(garage.isArmed())
  }

  @Test func `the phone of one says nothing about another`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home", person: "anna")
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.sent.isEmpty)
    garage.feed(.message(OutsideMessage("carl", topic: "x", payload: Array("{}".utf8))))
    #expect(garage.sent.isEmpty)
  }

  // MARK: memory

  @Test func `who was out before a restart still opens, and who was in does not`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    try garage.restart()
    #expect(garage.isArmed())
    #expect(!garage.isArmed("ben"))
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.sent.isEmpty)
    garage.phone("enter", "Garage")
    #expect(garage.pulses.count == 1)
    try garage.restart()
    #expect(!garage.isArmed())
  }

  @Test func `a broker that is lost and found moves nothing`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.feed(.broker(isConnected: false))
    garage.pass(3600)
    garage.feed(.broker(isConnected: true))
    #expect(garage.sent.isEmpty)
    #expect(garage.isArmed())
  }

  @Test(
    arguments: [
      .unknown, 5, "text", [], ["persons": 5],
      ["persons": ["anna": 5, "ben": ["inside": "no", "since": "x"]]],
      ["pulse": ["at": "x"]], ["pulse": ["at": -5]], ["names": ["x": 0, "y": 999]], ["wrong": -3],
      ["locked_until": 99_999_999_999_999_999],
    ] as [Value])
  func `a memory that is damaged arms nobody`(memory: Value) throws {
    var garage = try GarageTalk(remembering: memory)
    #expect(!garage.isArmed() && !garage.isArmed("ben"))
    garage.phone("enter", "Garage")
    #expect(garage.sent.isEmpty)
    garage.command("door", "OPEN")
    #expect(garage.pulses.count == 1)
  }

  // MARK: the plain topic

  @Test func `plain words come from anywhere`() throws {
    var garage = try GarageTalk()
    garage.presence("Leave")
    #expect(garage.isArmed())
    garage.presence("enter")
    #expect(garage.pulses == ["48151O=1"])
    #expect(garage.happened("opened").map { $0["source"] } == ["presence"])
  }

  @Test func `an object names the region, and may carry a date`() throws {
    var garage = try GarageTalk()
    let now = garage.now
    garage.presence(["region": "home", "event": "leave", "tst": .integer(now - 60)])
    #expect(garage.isArmed())
    garage.presence(["region": "home", "event": "enter"])
    garage.presence(["region": "beacon", "event": "leave"])
    #expect(garage.sent.isEmpty)
    garage.presence(["region": "beacon", "event": "enter", "tst": .integer(now - 61)])
    #expect(garage.sent.isEmpty, "older than the leaving")
    garage.presence(["region": "beacon", "event": "enter", "tst": .integer(now)])
    #expect(garage.pulses.count == 1)
  }

  @Test func `a stale word is refused`() throws {
    var garage = try GarageTalk()
    let now = garage.now
    garage.presence(["region": "home", "event": "leave", "tst": .integer(now - 500)])
    #expect(!garage.isArmed())
    garage.presence("leave")
    garage.pass(700)
    garage.presence(["region": "beacon", "event": "enter", "tst": .integer(now + 300)])
    garage.presence(["region": "beacon", "event": "enter", "tst": .integer(now + 900)])
    #expect(garage.sent.isEmpty)
    #expect(garage.rejections.map(\.reason) == [.notNow, .notNow, .notNow])
  }

  @Test(
    arguments: [
      "arrive", "", 5, true, .unknown, [], ["event": "enter"], ["region": "garage", "event": "enter"],
      ["region": "beacon"], ["region": "beacon", "event": "dwell"],
      ["region": "beacon", "event": "enter", "tst": "now"],
      ["region": "beacon", "event": "enter", "tst": -1],
      ["region": "beacon", "event": "enter", "ts": 1],
    ] as [Value])
  func `what is no word is refused`(value: Value) throws {
    var garage = try GarageTalk()
    garage.presence("leave")
    garage.presence(value)
    #expect(garage.rejections.map(\.reason) == [.invalid])
    #expect(garage.sent.isEmpty)
  }

  @Test func `a simulated exit arms, as a real one`() throws {
    var garage = try GarageTalk()
    garage.command("simulate_exit_ben", .unknown)
    #expect(garage.isArmed("ben") && !garage.isArmed("anna"))
    garage.phone("enter", "Garage", person: "ben")
    #expect(garage.pulses == ["62342O=1"])
  }

  // MARK: what the owner sees

  @Test func `every crossing is an event, and told once`() throws {
    var garage = try GarageTalk()
    garage.phone("leave", "Home")
    garage.phone("leave", "Home")
    garage.phone("enter", "Home")
    garage.presence(["region": "home", "event": "enter"])
    #expect(garage.happened("region_left").map { $0["region"] } == ["home"])
    #expect(garage.happened("region_entered").map { $0["region"] } == ["home"])
    #expect(garage["in_home_anna"] == true)
    #expect(garage["in_beacon_anna"] == .unknown)
    garage.phone("leave", "Home", after: -60)
    #expect(garage["in_home_anna"] == true, "older than what is known")
  }
}
