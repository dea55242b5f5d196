import DeviceModel
import Testing

@testable import Adapters

struct `A session with the power plug` {
  private static let ask: [UInt8] = [0x41]

  @Test func `the status is reported and the table asked for at once`() {
    var talk = Conversation(PowerPlug())
    #expect(talk.connect().sent.isEmpty)
    let outputs = talk.receive([0x53, 1, 1])
    #expect(outputs.contains(.alive))
    #expect(outputs.sent == [Self.ask])
    #expect(talk.state["power"] == true)
    #expect(talk.state["mode"] == "manual")
    #expect(talk.state["schedule"] == nil)
  }

  @Test func `without a status within a second the table is asked for`() {
    var talk = Conversation(PowerPlug())
    #expect(talk.connect().sent.isEmpty)
    #expect(talk.pass(.milliseconds(999)).sent.isEmpty)
    #expect(talk.pass(.milliseconds(1)).sent == [Self.ask])
    let outputs = talk.receive([0x53, 0, 1] + PlugTalk().table) + talk.pass(.seconds(1))
    #expect(talk.state["mode"] == "automatic")
    #expect(talk.state["schedule"] == [])
    #expect(outputs.isFinished)
  }

  @Test func `a table of unknown size ends with a silence, and the session with it`() {
    var talk = Conversation(PowerPlug())
    _ = talk.connect()
    _ = talk.receive([0x53, 0, 0])
    #expect(!talk.receive(PlugTalk().table).isFinished)
    #expect(talk.state["schedule"] == nil)
    #expect(talk.pass(.milliseconds(300)).isFinished)
    #expect(talk.state["schedule"] == [])
    #expect(talk.state["running"] == "none")
    #expect(talk.state["clash"] == false)
    #expect(talk.state["drift"] == false)
    #expect(talk.state["next_switch"] == .unknown)
  }

  @Test func `once two tables had the same size, the next ends by itself`() {
    var board = PlugTalk(slots: 7)
    board.session()
    board.session()
    _ = board.talk.connect()
    _ = board.talk.receive(board.status)
    #expect(board.talk.receive(board.table).isFinished)
  }

  @Test func `a configured size ends the first table by itself`() {
    var talk = Conversation(PowerPlug(slots: 10))
    _ = talk.connect()
    #expect(talk.receive([0x53, 0, 0] + PlugTalk().table).isFinished)
  }

  @Test
  func `a board that gets more slots is noticed at once when they come, and in time when they are late`() {
    var board = PlugTalk(slots: 7)
    for _ in 0..<3 { board.session() }
    board.slots += Array(repeating: Activation.daily(start: "2026-12-01T06:00:00Z").encoded, count: 4)
    board.session()
    #expect(board["schedule"].map { if case .list(let list) = $0 { list.count } else { 0 } } == 4)
  }

  @Test func `a table that arrives byte by byte is the same table`() {
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    var board = PlugTalk([morning])
    _ = board.talk.connect()
    var outputs: [Output] = []
    for byte in board.status + board.table {
      outputs += board.talk.receive([byte])
      outputs += board.talk.pass(.milliseconds(5))
    }
    outputs += board.talk.pass(.milliseconds(300))
    #expect(outputs.isFinished)
    #expect(outputs.undecodableBytes == 0)
    #expect(
      board["schedule"] == [
        [
          "name": "Morning", "start": "2026-12-01T06:00:00Z", "length": 60, "period": 1080,
          "next_on": "2026-12-01T06:00:00Z", "next_off": "2026-12-01T07:00:00Z",
        ]
      ])
    #expect(board["next_switch"] == "2026-12-01T06:00:00Z")
  }

  @Test func `a table cut short is asked for once more, and the last good values stay`() {
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    var board = PlugTalk([morning])
    board.session()
    let before = board.talk.state
    _ = board.talk.connect()
    _ = board.talk.receive(board.status)
    _ = board.talk.receive(Array(board.table.prefix(100)))
    let outputs = board.talk.pass(.seconds(2))
    #expect(outputs.undecodableBytes == 100)
    #expect(outputs.sent == [Self.ask])
    _ = board.talk.receive(Array(board.table.prefix(100)))
    let end = board.talk.pass(.seconds(2))
    #expect(end.sent.isEmpty)
    #expect(end.isFinished)
    #expect(board.talk.state == before)
  }

  @Test func `a table cut between two slots is asked for once more`() {
    var board = PlugTalk([.daily(start: "2026-12-01T06:00:00Z")])
    for _ in 0..<3 { board.session() }
    _ = board.talk.connect()
    _ = board.talk.receive(board.status)
    _ = board.talk.receive(Array(board.table.prefix(1 + 5 * 29)))
    #expect(board.talk.pass(.seconds(2)).sent == [Self.ask])
    #expect((board.talk.receive(board.table) + board.talk.pass(.seconds(1))).isFinished)
  }

  @Test func `garbage in a slot is read twice before it is believed, and then the other slots count`() {
    var board = PlugTalk([.daily(start: "2026-12-01T06:00:00Z")])
    board.slots[3] = Array(repeating: 0xFF, count: 29)
    board.session()
    #expect(board.written == [Self.ask, Self.ask])
    #expect(board["next_switch"] == "2026-12-01T06:00:00Z")
    board.session()
    #expect(board.written == [Self.ask])
  }

  @Test func `a board that says nothing fails the session`() {
    var talk = Conversation(PowerPlug())
    let outputs = talk.connect() + talk.pass(.seconds(7))
    #expect(outputs.hasFailed)
    #expect(!outputs.contains(.alive))
    #expect(!outputs.isFinished)
  }

  @Test func `a board without an answer to A fails the session, and its greeting says no more that it lives`()
  {
    var board = PlugTalk()
    for round in 0..<3 {
      var outputs = board.talk.connect()
      outputs += board.talk.receive(board.status)
      outputs += board.talk.pass(.seconds(6))
      board.talk.disconnect()
      #expect(outputs.hasFailed)
      #expect(outputs.contains(.alive) == (round == 0))
    }
    #expect(board.session().contains(.alive))
  }

  @Test func `a board that only ever sends garbage is not alive`() {
    var talk = Conversation(PowerPlug())
    var outputs = talk.connect()
    for _ in 0..<40 {
      outputs += talk.receive([0xFF, 0x00, 0x7F])
      outputs += talk.pass(.milliseconds(250))
    }
    #expect(outputs.undecodableBytes == 120)
    #expect(outputs.hasFailed)
    #expect(!outputs.contains(.alive))
  }

  @Test func `a poll that brings nothing new reports nothing new`() {
    var board = PlugTalk([
      .daily(start: "2026-11-30T06:30:00Z", length: 120), .daily("Night", start: "2026-11-30T23:00:00Z"),
    ])
    board.session()
    let next = board["next_switch"]
    #expect(next == "2026-11-30T08:30:00Z")
    let count = board.talk.changes.count
    for _ in 0..<20 {
      board.talk.pass(.seconds(9))
      board.session()
    }
    #expect(board.talk.changes.count == count)
    #expect(board["next_switch"] == next)
  }

  @Test func `a start that the board moves on changes the start alone`() {
    var board = PlugTalk([.daily(start: "2026-11-30T05:59:30Z", period: 720)])
    board.session()
    let count = board.talk.changes.count
    board.slots[0] = Activation.daily(start: "2026-11-30T17:59:30Z", period: 720).encoded
    board.session()
    #expect(board.talk.changes.dropFirst(count).map(\.key) == ["schedule"])
    #expect(board["drift"] == false)
    #expect(board["next_switch"] == "2026-11-30T17:59:30Z")
  }

  @Test func `what follows from the time changes between two polls too`() {
    var board = PlugTalk([.daily(start: "2026-11-30T07:05:00Z", length: 10)])
    board.session()
    #expect(board["running"] == "none")
    board.talk.pass(.seconds(5 * 60))
    #expect(board["running"] == "Morning")
    #expect(board["next_switch"] == "2026-11-30T07:15:00Z")
    board.talk.pass(.seconds(10 * 60))
    #expect(board["running"] == "none")
    #expect(board["next_switch"] == "2026-12-01T01:05:00Z")
  }

  @Test func `in manual mode nothing runs and nothing is to be switched`() {
    var board = PlugTalk([.daily(start: "2026-11-30T06:30:00Z")])
    board.session()
    #expect(board["running"] == "Morning")
    board.isManual = true
    board.session()
    #expect(board["running"] == "none")
    #expect(board["next_switch"] == .unknown)
  }

  @Test func `two activations at one time are a clash`() {
    var board = PlugTalk([
      .daily("A", start: "2026-12-01T06:00:00Z"), .daily("B", start: "2026-12-01T06:59:00Z"),
    ])
    board.session()
    #expect(board["clash"] == true)
  }

  @Test func `a session that is held is asked again every ten seconds`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.receive(board.status)
    _ = board.talk.receive(board.table)
    #expect(board.talk.pass(.seconds(1)).isFinished)
    #expect(board.talk.pass(.seconds(10)).sent == [Self.ask])
    #expect(!(board.talk.receive(board.table) + board.talk.pass(.seconds(1))).reconnects)
  }

  @Test func `a session that is held is begun anew now and then, unless the board tells its state by itself`()
  {
    for tells in [false, true] {
      var board = PlugTalk()
      _ = board.talk.connect()
      _ = board.talk.receive(board.status)
      if tells { _ = board.talk.receive(board.status) }
      _ = board.talk.receive(board.table)
      var outputs: [Output] = []
      for _ in 0..<80 {
        let new = board.talk.pass(.seconds(1))
        outputs += new
        if new.sent == [Self.ask] { _ = board.talk.receive(board.table) }
      }
      #expect(outputs.reconnects == !tells)
    }
  }
}
