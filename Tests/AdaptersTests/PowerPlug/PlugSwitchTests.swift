import DeviceModel
import Testing

@testable import Adapters

struct `Switching the power plug` {
  private static let on: [UInt8] = [0x53, 1]
  private static let off: [UInt8] = [0x53, 0]

  private static func batch(_ commands: Command..., number: UInt64 = 1) -> CommandBatch {
    CommandBatch(number: number, commands)
  }

  private static func power(_ isOn: Bool) -> Command { Command("power", .boolean(isOn)) }
  private static func mode(_ word: String) -> Command { Command("mode", .text(word)) }

  @Test func `on is sent at once, and reported when the board says so in a session of its own`() {
    var board = PlugTalk()
    board.session()
    let first = board.session(Self.batch(Self.power(true)))
    #expect(board.written.first == Self.on)
    #expect(first.reconnects)
    #expect(!first.isFinished)
    #expect(first.rejections.isEmpty)
    #expect(board["power"] == false)
    let second = board.session()
    #expect(board["power"] == true)
    #expect(board["mode"] == "manual")
    #expect(second.rejections.isEmpty)
    #expect(second.isFinished)
    #expect(!board.written.contains(Self.on))
  }

  @Test func `a board that tells its new state needs no session of its own`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    #expect(board.talk.receive([0x53, 0, 0]).sent == [Self.on])
    _ = board.talk.receive([0x53, 1, 1])
    #expect(board["power"] == true)
    var outputs = board.talk.pass(.milliseconds(100))
    #expect(outputs.sent == [[0x41]])
    outputs += board.talk.receive(board.table)
    outputs += board.talk.pass(.seconds(1))
    #expect(outputs.isFinished)
    #expect(!outputs.reconnects)
  }

  @Test func `a switching that the board does not confirm is refused, not repeated`() {
    var board = PlugTalk()
    board.lost = [0x53]
    let outputs = board.sessions(Self.batch(Self.power(true), number: 9))
    #expect(outputs.sent.count { $0 == Self.on } == 1)
    #expect(outputs.rejections.map(\.number) == [9])
    #expect(outputs.rejections.first?.property == "power")
    #expect(outputs.reasons == [.timeout])
    #expect(board["power"] == false)
  }

  @Test func `when the next session does not come about the switching counts as not confirmed`() {
    var board = PlugTalk()
    #expect(board.session(Self.batch(Self.power(true))).reconnects)
    #expect(board.talk.pass(.seconds(16)).reasons == [.timeout])
    board.session()
    #expect(board.talk.pass(.seconds(60)).rejections.isEmpty)
  }

  @Test func `a link that ends refuses what was asked for, and nothing is done later`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    _ = board.talk.command(2, Command("schedule", []))
    let outputs = board.talk.disconnect("reset by peer")
    #expect(outputs.rejections.map(\.number) == [1, 2])
    #expect(outputs.reasons == [.linkError, .linkError])
    #expect(board.session().sent == [[0x41]])
  }

  @Test func `a link that ends behind the switching leaves it unconfirmed`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    #expect(board.talk.receive([0x53, 0, 0]).sent == [Self.on])
    #expect(board.talk.disconnect().reasons == [.linkError])
    #expect(board.session().rejections.isEmpty)
  }

  @Test func `a board that waits for the client's first byte is asked for its table before it is switched`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    #expect(board.talk.pass(.seconds(1)).sent == [[0x41]])
    _ = board.talk.receive(board.status + board.table)
    let outputs = board.talk.pass(.seconds(1))
    #expect(outputs.sent.first == Self.on)
  }

  @Test func `automatic is tried with off, and kept in mind where that works`() {
    var board = PlugTalk()
    board.isManual = true
    board.isOn = true
    board.offIsAutomatic = true
    var outputs = board.sessions(Self.batch(Self.mode("automatic")))
    #expect(outputs.rejections.isEmpty)
    #expect(board["mode"] == "automatic")

    // Now it is known that the appliance cannot be off by hand.
    outputs = board.sessions(Self.batch(Self.mode("manual"), number: 2))
    #expect(outputs.reasons == [.unsupported])
    #expect(outputs.rejections.first?.property == "mode")
    #expect(!outputs.sent.contains(Self.off))
    outputs = board.sessions(Self.batch(Self.power(false), Self.mode("manual"), number: 3))
    #expect(outputs.reasons == [.unsupported])
    #expect(!outputs.sent.contains(Self.off))
  }

  @Test func `where off stays manual, automatic is refused from then on, and a first try changes nothing`() {
    var board = PlugTalk()
    board.isManual = true
    board.isOn = true
    var outputs = board.sessions(Self.batch(Self.mode("automatic")))
    #expect(outputs.reasons == [.unsupported])
    #expect(outputs.rejections.first?.property == "mode")
    #expect(outputs.sent.filter { $0.first == 0x53 } == [Self.off, Self.on])
    #expect(board.isOn)
    #expect(board["power"] == true)
    #expect(board["mode"] == "manual")
    outputs = board.sessions(Self.batch(Self.mode("automatic"), number: 2))
    #expect(outputs.reasons == [.unsupported])
    #expect(!outputs.sent.contains(Self.off))
  }

  @Test(arguments: [false, true])
  func `manual keeps the present power`(isOn: Bool) {
    var board = PlugTalk()
    board.isOn = isOn
    let outputs = board.sessions(Self.batch(Self.mode("manual")))
    #expect(outputs.rejections.isEmpty)
    #expect(board["mode"] == "manual")
    #expect(board["power"] == .boolean(isOn))
    #expect(outputs.sent.contains(isOn ? Self.on : Self.off))
  }

  @Test func `manual while off is refused where off turns out to be automatic`() {
    var board = PlugTalk()
    board.offIsAutomatic = true
    let outputs = board.sessions(Self.batch(Self.mode("manual")))
    #expect(outputs.reasons == [.unsupported])
    #expect(board["mode"] == "automatic")
  }

  @Test func `a mode that holds already sends nothing`() {
    var board = PlugTalk()
    let outputs = board.session(Self.batch(Self.mode("automatic")))
    #expect(outputs.sent == [[0x41]])
    #expect(outputs.rejections.isEmpty)
    #expect(outputs.isFinished)
  }

  @Test func `off is refused where it means automatic and an activation runs`() {
    var board = PlugTalk([.daily(start: "2026-11-30T06:30:00Z")])
    board.isManual = true
    board.isOn = true
    board.offIsAutomatic = true
    board.sessions(Self.batch(Self.mode("automatic")))
    board.isOn = true
    let outputs = board.sessions(Self.batch(Self.power(false), number: 2))
    #expect(outputs.reasons == [.unsupported])
    #expect(!outputs.sent.contains(Self.off))
  }

  @Test func `power, mode and schedule in one batch are carried out in this order`() {
    var board = PlugTalk()
    board.offIsAutomatic = true
    board.isManual = true
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    let outputs = board.sessions(
      Self.batch(
        Command("schedule", .list([morning.command])), Self.mode("automatic"), Self.power(true)))
    #expect(outputs.rejections.isEmpty)
    let changes = outputs.sent.filter { $0 != [0x41] }
    #expect(changes == [Self.on, Self.off, [0x55, 0] + morning.encoded])
    #expect(board["mode"] == "automatic")
  }

  @Test func `a batch with one command that cannot be done does nothing at all`() {
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    let wrong = [
      Command("schedule", verb: .delete, "Nobody"),
      Command("schedule", verb: .put, ["name": "x"]),
      Command(
        "schedule", .list((0..<11).map { Activation.daily("\($0)", start: "2026-12-01T06:00:00Z").command })),
      Command("mode", "sometimes"),
      Command("drift", true),
      Command("colour", "red"),
      Command("power", verb: .put, true),
    ]
    for command in wrong {
      var board = PlugTalk([morning])
      let outputs = board.sessions(Self.batch(Self.power(true), command))
      #expect(outputs.rejections.count == 1, "\(command)")
      #expect(outputs.rejections.first?.property == command.property)
      #expect(outputs.sent.allSatisfy { $0 == [0x41] }, "\(command)")
    }
  }

  @Test func `a later switching takes the place of one that is not confirmed yet`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    _ = board.talk.receive(board.status)
    var outputs = board.talk.command(2, Self.power(false))
    outputs += board.talk.pass(.milliseconds(200))
    outputs += board.talk.pass(.seconds(2))
    #expect(outputs.sent.filter { $0.first == 0x53 } == [Self.off])
    outputs += board.talk.disconnect()
    outputs += board.session()
    #expect(outputs.rejections.isEmpty)
  }

  @Test func `two writes are 100 ms apart`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    _ = board.talk.command(1, Self.power(true))
    _ = board.talk.command(2, Self.power(false))
    #expect(board.talk.receive(board.status).sent == [Self.on])
    #expect(board.talk.pass(.milliseconds(99)).sent.isEmpty)
    #expect(board.talk.pass(.milliseconds(1)).sent == [Self.off])
  }

  @Test func `commands beyond what may wait are refused as busy`() {
    var board = PlugTalk()
    _ = board.talk.connect()
    var outputs: [Output] = []
    for number in 1...20 { outputs += board.talk.command(UInt64(number), Self.power(true)) }
    #expect(outputs.reasons == Array(repeating: .busy, count: 4))
    #expect(outputs.rejections.map(\.number) == [17, 18, 19, 20])
  }
}
