import DeviceModel
import Testing

@testable import Adapters

/// The board's table, as far as requests for PINs go: slots of an EEPROM behind a master PIN.
private struct TableBoard {
  var slots: [Int: String] = [1: GarageTalk.anna, 2: GarageTalk.ben]
  var room = 5
  /// What the board's indices differ by from those that it tells.
  var offset = 0
  var isMute = false

  /// What it says to one message.
  mutating func take(_ message: [UInt8]) -> [[UInt8]] {
    guard message.starts(with: GarageTalk.master.utf8), !isMute else { return [] }
    let rest = Array(message.dropFirst(5))
    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
    switch rest.first {
    case UInt8(ascii: "P"):
      return slots.sorted { $0.key < $1.key }.map { [UInt8($0.key)] + Array($0.value.utf8) } + [[0xFF]]
    case UInt8(ascii: "A"):
      if let free = (1...room).first(where: { slots[$0] == nil }) { slots[free] = text(rest.dropFirst()) }
    case UInt8(ascii: "E"): slots[Int(rest[1]) + offset] = text(rest.dropFirst(2))
    case UInt8(ascii: "D"): slots[Int(rest[1]) + offset] = nil
    default: break
    }
    return []
  }
}

struct `Managing the garage's PINs` {
  private struct Talk {
    var garage: GarageTalk
    var board = TableBoard()
    private var told = 0
    private var number: UInt64 = 0

    init(_ options: Value = GarageTalk.options) throws { garage = try GarageTalk(options) }

    mutating func ask(_ request: String, _ parameters: Value.Members = [:]) -> Result<Value, Rejection>? {
      if !garage.talk.isUp { garage.connect() }
      number += 1
      let asked = number
      garage.feed(.request(KindRequest(number: asked, "garage/pin/\(request)", parameters)))
      for _ in 0..<20 where !garage.answers.contains(where: { $0.number == asked }) {
        tell()
        garage.pass(0.5)
      }
      return garage.answers.last { $0.number == asked }?.result
    }

    private mutating func tell() {
      while told < garage.sent.count {
        let message = garage.sent[told]
        told += 1
        for bytes in board.take(Array(message.utf8)) { garage.feed(.received(.board, bytes)) }
      }
    }

    var errors: [String] {
      garage.answers.compactMap {
        if case .failure(let rejection) = $0.result { rejection.explanation } else { nil }
      }
    }
  }

  private static let device: Value = "garage_door"

  private static func reason(_ result: Result<Value, Rejection>?) -> Rejection.Reason? {
    if case .failure(let rejection)? = result { rejection.reason } else { nil }
  }

  private static func value(_ result: Result<Value, Rejection>?) -> Value? {
    if case .success(let value)? = result { value } else { nil }
  }

  @Test func `a list has names and indices`() throws {
    var talk = try Talk()
    talk.board.slots[4] = "zzzzz"
    #expect(
      Self.value(talk.ask("list")) == [
        "pins": [
          ["index": 1, "name": "Anna"], ["index": 2, "name": "Ben"], ["index": 4, "name": .unknown],
        ]
      ])
    #expect(talk.garage.sent == ["90909P"])
    talk.garage.pass(3)
    #expect(!talk.garage.talk.isUp)
  }

  @Test func `a PIN is added, changed and deleted by name`() throws {
    var talk = try Talk()
    #expect(Self.value(talk.ask("add", ["name": "Carl", "pin": "0x1 5"])) == ["name": "Carl", "index": 3])
    #expect(talk.board.slots[3] == "0x1 5")
    #expect(
      Self.value(talk.ask("change", ["name": "Carl", "pin": "77777"])) == ["name": "Carl", "index": 3])
    #expect(talk.board.slots == [1: "48151", 2: "62342", 3: "77777"])
    #expect(Self.value(talk.ask("delete", ["name": "Carl"])) == ["name": "Carl"])
    #expect(talk.board.slots == [1: "48151", 2: "62342"])
    #expect(
      talk.garage.sent == [
        "90909P", "90909A0x1 5", "90909P", "90909P", "90909E\u{3}77777", "90909P", "90909P", "90909D\u{3}",
        "90909P",
      ])
  }

  @Test func `names of added PINs outlive a restart`() throws {
    var talk = try Talk()
    _ = talk.ask("add", ["name": "Carl", "pin": "77777"])
    talk.garage.disconnect()
    try talk.garage.restart()
    _ = talk.ask("delete", ["name": "Carl"])
    #expect(talk.board.slots[3] == nil)
  }

  @Test(arguments: [false, true])
  func `a name does not stand for whose PIN a phone has put in its place`(afterRestart: Bool) throws {
    var talk = try Talk()
    _ = talk.ask("add", ["name": "Carl", "pin": "77777"])
    if afterRestart {
      talk.garage.disconnect()
      try talk.garage.restart()
    }
    // With the phone's app Carl's is deleted, and Dora's added.
    talk.board.slots[3] = "88888"
    for request in ["delete", "change"] {
      let pin: Value? = request == "change" ? "12345" : nil
      var parameters: Value.Members = ["name": "Carl"]
      parameters["pin"] = pin
      #expect(Self.reason(talk.ask(request, parameters)) == .notNow)
      #expect(talk.errors.last?.contains("somebody has changed the board's PINs") == true)
    }
    #expect(talk.board.slots[3] == "88888")
    #expect(
      Self.value(talk.ask("list")) == [
        "pins": [
          ["index": 1, "name": "Anna"], ["index": 2, "name": "Ben"], ["index": 3, "name": .unknown],
        ]
      ])
    #expect(talk.garage.happened("locked_out").isEmpty)
    // The name is free.
    #expect(Self.value(talk.ask("add", ["name": "Carl", "pin": "77777"])) == ["name": "Carl", "index": 4])
    #expect(Self.value(talk.ask("delete", ["name": "Carl"])) == ["name": "Carl"])
    #expect(talk.board.slots == [1: GarageTalk.anna, 2: GarageTalk.ben, 3: "88888"])
  }

  @Test func `what is kept of a PIN is neither it nor the same for another master`() throws {
    var talk = try Talk()
    _ = talk.ask("add", ["name": "Carl", "pin": "77777"])
    let kept = try #require(GarageMemory(talk.garage.memory)).names
    #expect(kept == ["Carl": NamedPIN(place: 3, mark: try Self.mark("90909"))])
    #expect(kept["Carl"]?.mark?.utf8.count == 4)
    #expect(try Self.mark("90909") != Self.mark("90908"))
    // An older memory has the place alone.
    #expect(GarageMemory(["names": ["Carl": 3]])?.names == ["Carl": NamedPIN(place: 3, mark: nil)])
  }

  private static func mark(_ master: String) throws -> String {
    let master = try #require(GaragePIN(master))
    return try NamedPIN.mark(of: try #require(GaragePIN("77777")), at: 3, master: master)
  }

  @Test func `a person's own PIN need not be said`() throws {
    var talk = try Talk()
    talk.board.slots = [:]
    #expect(Self.value(talk.ask("add", ["name": "Ben"])) == ["name": "Ben", "index": 1])
    #expect(talk.board.slots == [1: GarageTalk.ben])
  }

  @Test func `a person whose PIN is changed opens with the new one`() throws {
    var talk = try Talk()
    #expect(Self.value(talk.ask("change", ["name": "Anna", "pin": "31337"])) != nil)
    talk.garage.command("door", "OPEN")
    #expect(talk.garage.pulses == ["31337O=1"])
  }

  @Test(
    arguments: [
      ("add", ["name": "Carl", "pin": "1234"]), ("add", ["name": "Carl", "pin": "123456"]),
      ("add", ["name": "Carl", "pin": 12345]), ("add", ["name": "Carl", "pin": "1234\u{e9}"]),
      ("add", ["name": "Carl"]), ("add", ["pin": "12345"]), ("add", ["name": "", "pin": "12345"]),
      ("add", ["name": "Carl", "pin": "48151"]), ("add", ["name": "Carl", "pin": "90909"]),
      ("add", ["name": "Anna", "pin": "12345"]), ("change", ["name": "Carl", "pin": "12345"]),
      ("change", ["name": "Ben", "pin": "48151"]), ("delete", ["name": "Carl"]),
      ("delete", ["name": "Anna", "pin": "48151"]), ("list", ["index": 1]),
      ("add", ["name": "Carl", "pin": "12345", "index": 0]),
    ] as [(String, Value.Members)])
  func `what is wrong is refused and changes nothing`(request: String, parameters: Value.Members) throws {
    var talk = try Talk()
    #expect(Self.reason(talk.ask(request, parameters)) == .invalid)
    #expect(talk.board.slots == TableBoard().slots)
    #expect(talk.garage.sent.allSatisfy { $0 == "90909P" })
    for pin in ["48151", "62342", "90909", "12345"] { #expect(talk.errors.allSatisfy { !$0.contains(pin) }) }
  }

  @Test func `the master's place is never written to`() throws {
    var talk = try Talk()
    talk.board.slots = [0: GarageTalk.anna]
    #expect(Self.reason(talk.ask("delete", ["name": "Anna"])) == .invalid)
    #expect(Self.reason(talk.ask("change", ["name": "Anna", "pin": "12345"])) == .invalid)
    #expect(talk.garage.sent.allSatisfy { $0 == "90909P" })
  }

  @Test func `a table that is full is said`() throws {
    var talk = try Talk()
    talk.board.room = 2
    #expect(Self.reason(talk.ask("add", ["name": "Carl", "pin": "12345"])) == .timeout)
  }

  @Test func `a board that counts otherwise loses nobody's PIN`() throws {
    var talk = try Talk()
    talk.board.offset = 1
    #expect(Self.reason(talk.ask("delete", ["name": "Anna"])) == .linkError)
    #expect(Set(talk.board.slots.values) == [GarageTalk.anna, GarageTalk.ben])
  }

  @Test func `a board that says nothing is given up`() throws {
    var talk = try Talk()
    talk.board.isMute = true
    #expect(Self.reason(talk.ask("list")) == .timeout)
    talk.garage.pass(3)
    #expect(!talk.garage.talk.isUp)
  }

  @Test func `a link that ends fails what was asked, and nothing is done later`() throws {
    var talk = try Talk()
    talk.garage.connect()
    _ = talk.garage.request("garage/pin/delete", ["name": "Anna"])
    talk.garage.disconnect("lost")
    #expect(Self.reason(talk.garage.answers.last?.result) == .linkError)
    talk.garage.connect()
    talk.garage.pass(10)
    #expect(talk.garage.sent == ["90909P"])
  }

  @Test func `wrong requests in a row lock all management for a while, across restarts`() throws {
    var talk = try Talk()
    for _ in 0..<4 { _ = talk.ask("delete", ["name": "Nobody"]) }
    #expect(Self.value(talk.ask("list")) != nil)
    for _ in 0..<4 { _ = talk.ask("delete", ["name": "Nobody"]) }
    #expect(talk.garage.happened("locked_out").isEmpty, "a right one in between")
    #expect(Self.reason(talk.ask("delete", ["name": "Nobody"])) == .invalid)
    #expect(talk.garage.happened("locked_out").count == 1)
    #expect(Self.reason(talk.ask("list")) == .lockedOut)
    talk.garage.disconnect()
    try talk.garage.restart()
    #expect(Self.reason(talk.ask("list")) == .lockedOut)
    talk.garage.pass(600)
    #expect(Self.value(talk.ask("list")) != nil)
  }

  @Test func `without a master PIN nothing is managed`() throws {
    var talk = try Talk(["persons": [["name": "Anna", "pin": "48151"]]])
    #expect(Self.reason(talk.ask("list")) == .unsupported)
    #expect(talk.garage.sent.isEmpty)
  }

  @Test func `a door that is locked for management still opens`() throws {
    var talk = try Talk()
    for _ in 0..<5 { _ = talk.ask("delete", ["name": "Nobody"]) }
    talk.garage.command("door", "OPEN")
    #expect(talk.garage.pulses.count == 1)
  }

  @Test func `a board that never ends its table is given up`() throws {
    var talk = try Talk()
    talk.garage.connect()
    _ = talk.garage.request("garage/pin/list")
    for _ in 0..<300 { talk.garage.feed(.received(.board, [1] + Array("aaaaa".utf8))) }
    #expect(Self.reason(talk.garage.answers.last?.result) == .linkError)
  }

  @Test func `no PIN shows itself`() throws {
    let talk = try Talk()
    let pin = try #require(GaragePIN("48151"))
    #expect("\(pin) \(String(reflecting: pin))".contains("48151") == false)
    var text = ""
    dump(talk.garage.talk.adapter, to: &text)
    for pin in ["48151", "62342", "90909"] { #expect(!text.contains(pin)) }
  }
}
