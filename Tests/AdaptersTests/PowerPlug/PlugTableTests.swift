import DeviceModel
import Testing

@testable import Adapters

struct `Changing the power plug's table` {
  private static let ask: [UInt8] = [0x41]
  private static let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
  private static let noon = Activation.daily("Noon", start: "2026-12-01T12:00:00Z")
  private static let evening = Activation.daily("Evening", start: "2026-12-01T18:00:00Z")

  private static func put(_ activation: Activation, number: UInt64 = 1) -> CommandBatch {
    CommandBatch(number: number, [Command("schedule", verb: .put, activation.command)])
  }

  private static func delete(_ name: String) -> CommandBatch {
    CommandBatch(number: 1, [Command("schedule", verb: .delete, .text(name))])
  }

  private static func replace(_ activations: [Activation]) -> CommandBatch {
    CommandBatch(number: 1, [Command("schedule", .list(activations.map(\.command)))])
  }

  private static func write(_ slot: UInt8, _ activation: Activation) -> [UInt8] {
    [0x55, slot] + activation.encoded
  }

  private static func names(_ value: Value?) -> [String] {
    guard case .list(let elements)? = value else { return [] }
    return elements.compactMap {
      guard case .object(let members) = $0 else { return nil }
      return members.text("name")
    }
  }

  @Test func `a new activation goes into the first free slot, between two readings of the table`() {
    var board = PlugTalk([Self.morning])
    board.slots[2] = Self.evening.encoded
    let outputs = board.session(Self.put(Self.noon))
    #expect(outputs.sent == [Self.ask, Self.write(1, Self.noon), Self.ask])
    #expect(outputs.rejections.isEmpty)
    #expect(outputs.isFinished)
    #expect(Self.names(board["schedule"]) == ["Morning", "Noon", "Evening"])
  }

  @Test func `an activation of the same name is replaced where it is`() {
    var board = PlugTalk([Self.morning, Self.noon])
    var later = Self.noon
    later.lengthMinutes = 5
    #expect(board.session(Self.put(later)).sent == [Self.ask, Self.write(1, later), Self.ask])
    #expect(board.activations[1] == later)
  }

  @Test func `what stands there already is not written`() {
    var board = PlugTalk([Self.morning])
    let outputs = board.session(Self.put(Self.morning))
    #expect(outputs.sent == [Self.ask])
    #expect(outputs.rejections.isEmpty)
  }

  @Test func `an activation is deleted by name, twins included`() {
    var board = PlugTalk([Self.morning, Self.noon, Self.morning])
    #expect(board.session(Self.delete("Morning")).sent == [Self.ask, [0x44, 0], [0x44, 2], Self.ask])
    #expect(board.activations.compactMap(\.self) == [Self.noon])
  }

  @Test func `an unknown name is not deleted`() {
    var board = PlugTalk([Self.morning])
    let outputs = board.session(Self.delete("morning"))
    #expect(outputs.reasons == [.invalid])
    #expect(outputs.rejections.first?.rejection.explanation == "there is no activation named 'morning'")
    #expect(outputs.sent == [Self.ask])
    #expect(outputs.isFinished)
  }

  @Test func `a full table takes no new activation but a changed one`() {
    var board = PlugTalk(slots: 2, [Self.morning, Self.noon])
    let outputs = board.session(Self.put(Self.evening))
    #expect(outputs.reasons == [.full])
    #expect(outputs.rejections.first?.rejection.explanation == "all 2 slots of the board are taken")
    var longer = Self.noon
    longer.lengthMinutes = 61
    #expect(board.session(Self.put(longer)).rejections.isEmpty)
    #expect(board.activations == [Self.morning, longer])
  }

  @Test func `all are replaced with as few writes as possible`() {
    var board = PlugTalk(slots: 4, [Self.morning, Self.noon])
    let outputs = board.session(Self.replace([Self.evening, Self.noon]))
    #expect(outputs.sent == [Self.ask, [0x44, 0], Self.write(2, Self.evening), Self.ask])
    #expect(board.activations == [nil, Self.noon, Self.evening, nil])
  }

  @Test func `a full table is replaced by another`() {
    var board = PlugTalk(slots: 2, [Self.morning, Self.noon])
    let others = [Activation.daily("A", start: "2026-12-01T01:00:00Z"), Self.evening]
    #expect(board.session(Self.replace(others)).rejections.isEmpty)
    #expect(board.activations == others)
  }

  @Test func `replacing all clears what is no activation too`() {
    var board = PlugTalk(slots: 2)
    board.slots[0] = Array(repeating: 0xFF, count: 29)
    board.session(Self.replace([Self.noon]))
    #expect(board.activations == [nil, Self.noon])
  }

  @Test func `a clash is reported, not refused`() {
    var board = PlugTalk([Self.morning])
    let other = Activation.daily("Other", start: "2026-12-01T06:30:00Z")
    #expect(board.session(Self.put(other)).rejections.isEmpty)
    #expect(board["clash"] == true)
  }

  @Test(arguments: ["U", "D"])
  func `a write that is lost is done once more, and then given up`(letter: Character) {
    var board = PlugTalk([Self.morning])
    board.lost = [letter.asciiValue ?? 0]
    let (command, write) =
      letter == "U" ? (Self.put(Self.noon), Self.write(1, Self.noon)) : (Self.delete("Morning"), [0x44, 0])
    let outputs = board.session(command)
    #expect(outputs.sent == [Self.ask, write, Self.ask, write, Self.ask])
    #expect(outputs.reasons == [.timeout])
    #expect(outputs.rejections.first?.property == "schedule")
    #expect(outputs.isFinished)
    #expect(Self.names(board["schedule"]) == ["Morning"])
    board.lost = []
    #expect(board.session().sent == [Self.ask])
  }

  @Test func `an activation whose start the board moves on between writing and reading is kept`() {
    let past = Activation.daily("Past", start: "2026-11-30T01:00:00Z", period: 120)
    var board = PlugTalk()
    board.session()
    board.session()
    _ = board.talk.connect()
    _ = board.talk.feed(.commands(Self.put(past)))
    var outputs = board.talk.receive(board.status)
    outputs += board.talk.receive(board.table)
    outputs += board.talk.pass(.milliseconds(250))
    var moved = past
    moved.start += 3 * 7200
    board.slots[0] = moved.encoded
    outputs = board.talk.receive(board.table)
    #expect(outputs.isFinished)
    #expect(outputs.rejections.isEmpty)
    #expect(board["drift"] == false)
  }

  @Test func `each write is alone and 100 ms behind the one before`() {
    var board = PlugTalk(slots: 3)
    board.session()
    board.session()
    _ = board.talk.connect()
    _ = board.talk.feed(.commands(Self.replace([Self.morning, Self.noon, Self.evening])))
    _ = board.talk.receive(board.status)
    #expect(board.talk.receive(board.table).sent.isEmpty)
    for activation in [Self.morning, Self.noon, Self.evening] {
      #expect(board.talk.pass(.milliseconds(99)).sent.isEmpty)
      #expect(board.talk.pass(.milliseconds(1)).sent.map { $0.dropFirst(2) } == [activation.encoded[...]])
    }
  }

  @Test func `several batches are carried out one after the other`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.feed(.commands(Self.put(Self.noon, number: 1)))
    _ = board.talk.feed(.commands(Self.put(Self.evening, number: 2)))
    _ = board.talk.feed(.commands(Self.delete("Noon")))
    board.talk.disconnect()
    var wrong: [Output] = []
    wrong += board.session(
      CommandBatch(
        number: 3,
        [
          Command("schedule", verb: .put, Self.noon.command),
          Command("schedule", verb: .put, Self.evening.command),
          Command("schedule", verb: .delete, "Noon"),
        ]))
    #expect(wrong.rejections.isEmpty)
    #expect(board.activations.compactMap(\.self) == [Self.evening])
  }

  @Test func `a table that cannot be read refuses the change, and nothing is written`() {
    var board = PlugTalk([Self.morning])
    _ = board.talk.connect()
    _ = board.talk.feed(.commands(Self.put(Self.noon)))
    var outputs = board.talk.receive(board.status)
    for _ in 0..<2 {
      outputs += board.talk.receive(Array(board.table.dropLast()))
      outputs += board.talk.pass(.seconds(2))
    }
    #expect(outputs.reasons == [.linkError])
    #expect(outputs.sent == [Self.ask, Self.ask])
    #expect(outputs.isFinished)
  }

  @Test func `a link that ends in the middle of writing refuses the batch once`() {
    var board = PlugTalk()
    board.session()
    board.session()
    _ = board.talk.connect()
    _ = board.talk.feed(.commands(Self.replace([Self.morning, Self.noon])))
    _ = board.talk.receive(board.status)
    _ = board.talk.receive(board.table)
    #expect(board.talk.pass(.milliseconds(100)).sent == [Self.write(0, Self.morning)])
    let outputs = board.talk.disconnect("reset")
    #expect(outputs.reasons == [.linkError])
    #expect(outputs.rejections.first?.property == "schedule")
    #expect(board.session().rejections.isEmpty)
    #expect(board.written == [Self.ask])
  }
}
