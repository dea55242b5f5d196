import DeviceModel
import Testing

@testable import Adapters

struct `The pet door` {
  private static let lock = Command("lock", "LOCK")
  private static let unlock = Command("lock", "UNLOCK")

  /// Connected, and open or closed.
  private static func door(_ status: String = "s:1;t:21.50") -> Conversation {
    var talk = Conversation(PetDoor())
    _ = talk.connect()
    _ = talk.receive(status)
    return talk
  }

  private static func sendNumber(_ outputs: [Output]) -> UInt64? {
    outputs.compactMap { if case .send(let send) = $0 { send.number } else { nil } }.last
  }

  /// The command, and the link's word that it has left.
  private static func order(_ command: Command, _ talk: inout Conversation, number: UInt64 = 1) -> [Output] {
    let outputs = talk.command(number, command)
    guard let send = sendNumber(outputs) else { return outputs }
    return outputs + talk.feed(.sent(send))
  }

  /// The board repeats its status for some time. Returns the states of the lock in their order.
  private static func wait(
    _ duration: Duration, _ status: String, _ talk: inout Conversation
  ) -> [Value] {
    let before = talk.changes.count
    var passed = Duration.zero
    while passed < duration {
      talk.pass(.milliseconds(100))
      _ = talk.receive(status)
      passed += .milliseconds(100)
    }
    return talk.changes.dropFirst(before).filter { $0.key == "lock" }.map(\.value)
  }

  @Test func `a status is reported, and a lock whose m never came is unknown`() {
    let talk = Self.door()
    #expect(talk.state == ["lock": "UNLOCKED", "latch": true, "temperature": 21.5, "manual_lock": .unknown])
  }

  @Test func `m before the first status tells the manual lock`() {
    var talk = Conversation(PetDoor())
    _ = talk.connect()
    #expect(talk.receive("m:1").contains(.alive))
    _ = talk.receive("s:0;t:3.00")
    #expect(talk.state["manual_lock"] == true)
    #expect(talk.state["lock"] == "LOCKED")
  }

  @Test func `m that comes late, and m that is echoed, are believed`() {
    var talk = Self.door()
    _ = talk.receive("m:0\n")
    #expect(talk.state["manual_lock"] == false)
    _ = talk.receive("m:1\n")
    #expect(talk.state["manual_lock"] == true)
  }

  @Test func `after a new link without m the manual lock is unknown again`() {
    var talk = Self.door()
    _ = Self.order(Self.lock, &talk)
    #expect(talk.state["manual_lock"] == true)
    talk.disconnect()
    _ = talk.connect()
    #expect(talk.state["manual_lock"] == true)
    _ = talk.receive("s:0;t:21.50")
    #expect(talk.state["manual_lock"] == .unknown)
  }

  @Test func `LOCK is one byte; locking, then locked`() {
    var talk = Self.door()
    let outputs = talk.command(1, Self.lock)
    #expect(outputs.sent == [[0x31]])
    #expect(talk.state["lock"] == "LOCKING")
    #expect(talk.state["manual_lock"] == .unknown)
    let send = Self.sendNumber(outputs)
    talk.feed(.sent(send ?? 0))
    #expect(talk.state["manual_lock"] == true)
    #expect(Self.wait(.seconds(1), "s:1;t:21.50", &talk).isEmpty)
    #expect(Self.wait(.seconds(10), "s:0;t:21.50", &talk) == ["LOCKED"])
  }

  @Test func `a latch that stays open after LOCK is jammed until it closes`() {
    var talk = Self.door()
    _ = Self.order(Self.lock, &talk)
    #expect(Self.wait(.milliseconds(4900), "s:1;t:21.50", &talk).isEmpty)
    #expect(Self.wait(.milliseconds(200), "s:1;t:21.50", &talk) == ["JAMMED"])
    #expect(Self.wait(.seconds(60), "s:1;t:21.50", &talk).isEmpty)
    #expect(Self.wait(.seconds(1), "s:0;t:21.50", &talk) == ["LOCKED"])
  }

  @Test func `a jammed door that is unlocked is unlocked`() {
    var talk = Self.door()
    _ = Self.order(Self.lock, &talk)
    _ = Self.wait(.seconds(6), "s:1;t:21.50", &talk)
    _ = Self.order(Self.unlock, &talk)
    #expect(talk.state["lock"] == "UNLOCKED")
    #expect(talk.state["manual_lock"] == false)
  }

  @Test func `UNLOCK in the light: unlocking, then unlocked`() {
    var talk = Self.door("s:0;t:21.50")
    #expect(talk.command(1, Self.unlock).sent == [[0x30]])
    #expect(talk.state["lock"] == "UNLOCKING")
    #expect(Self.wait(.seconds(1), "s:1;t:21.50", &talk) == ["UNLOCKED"])
  }

  @Test func `UNLOCK in the dark settles on locked, never on jammed`() {
    var talk = Self.door("s:0;t:21.50")
    _ = Self.order(Self.unlock, &talk)
    #expect(Self.wait(.seconds(60), "s:0;t:21.50", &talk) == ["LOCKED"])
    #expect(talk.state["manual_lock"] == false)
  }

  @Test func `the board's own locking and unlocking is followed`() {
    var talk = Self.door()
    #expect(Self.wait(.seconds(20), "s:0;t:1.00", &talk) == ["LOCKED"])
    #expect(Self.wait(.seconds(20), "s:1;t:9.00", &talk) == ["UNLOCKED"])
  }

  @Test func `LOCK while it is locked by itself stays locked`() {
    var talk = Self.door("s:0;t:21.50")
    let before = talk.changes.count
    _ = Self.order(Self.lock, &talk)
    _ = Self.wait(.seconds(10), "s:0;t:21.50", &talk)
    #expect(talk.changes.dropFirst(before).map(\.key) == ["manual_lock"])
  }

  @Test func `the manual lock is the same as the lock`() {
    var talk = Self.door()
    #expect(Self.order(Command("manual_lock", true), &talk).sent == [[0x31]])
    #expect(talk.state["lock"] == "LOCKING")
    #expect(Self.order(Command("manual_lock", false), &talk, number: 2).sent == [[0x30]])
  }

  @Test func `both in one batch are one write if they agree, and none if they do not`() {
    var talk = Self.door()
    #expect(talk.command(1, Self.lock, Command("manual_lock", true)).sent == [[0x31]])
    let outputs = talk.command(2, Self.lock, Command("manual_lock", false))
    #expect(outputs.sent.isEmpty)
    #expect(outputs.reasons == [.invalid])
    #expect(outputs.rejections.first?.property == "manual_lock")
  }

  @Test func `what a pet door does not take is refused`() {
    var talk = Self.door()
    let cases: [(Command, Rejection.Reason)] = [
      (Command("lock", "OPEN"), .invalid), (Command("manual_lock", "ON"), .invalid),
      (Command("temperature", 21), .readOnly), (Command("power", true), .unknownProperty),
      (Command("lock", verb: .put, "LOCK"), .unsupported),
    ]
    for (command, reason) in cases {
      let outputs = talk.command(7, command)
      #expect(outputs.reasons == [reason], "\(command)")
      #expect(outputs.sent.isEmpty)
    }
    #expect(talk.feed(.transmit(number: 8, [0x31])).reasons == [.unsupported])
  }

  @Test func `a command that did not leave is refused, and the latch's word holds`() {
    var talk = Self.door()
    let send = Self.sendNumber(talk.command(5, Self.lock))
    let outputs = talk.feed(.notSent(send ?? 0, "write failed"))
    #expect(outputs.reasons == [.linkError])
    #expect(outputs.rejections.first?.number == 5)
    #expect(talk.state["lock"] == "UNLOCKED")
    #expect(talk.state["manual_lock"] == .unknown)
    #expect(Self.wait(.seconds(10), "s:1;t:21.50", &talk).isEmpty)
  }

  @Test func `a later command takes the place of one that has not left`() {
    var talk = Self.door()
    let first = Self.sendNumber(talk.command(1, Self.lock))
    let second = Self.sendNumber(talk.command(2, Self.unlock))
    #expect(talk.feed(.notSent(first ?? 0, "replaced")).rejections.isEmpty)
    talk.feed(.sent(second ?? 0))
    #expect(talk.state["manual_lock"] == false)
    #expect(talk.state["lock"] == "UNLOCKED")
  }

  @Test func `the link's end refuses what has not left and ends the waiting`() {
    var talk = Self.door()
    _ = talk.command(1, Self.lock)
    #expect(talk.disconnect().reasons == [.linkError])
    #expect(talk.state["lock"] == "UNLOCKED")
    _ = talk.connect()
    _ = Self.order(Self.lock, &talk)
    #expect(talk.disconnect().rejections.isEmpty)
    #expect(talk.pass(.seconds(60)).isEmpty)
  }

  @Test func `a board that falls silent is not jammed but dead`() {
    var talk = Self.door()
    _ = Self.order(Self.lock, &talk)
    let outputs = talk.pass(.seconds(31))
    #expect(talk.state["lock"] == "LOCKING")
    #expect(outputs.hasFailed)
  }

  @Test func `a board that says nothing valid after connecting fails within ten seconds`() {
    var talk = Conversation(PetDoor())
    var outputs = talk.connect()
    for _ in 0..<11 {
      outputs += talk.receive("hello")
      outputs += talk.pass(.seconds(1))
    }
    #expect(outputs.hasFailed)
    #expect(outputs.undecodableBytes == 55)
    #expect(!outputs.contains(.alive))
  }

  @Test func `a board that speaks stays`() {
    var talk = Self.door()
    var outputs: [Output] = []
    for _ in 0..<100 {
      outputs += talk.pass(.seconds(20))
      outputs += talk.receive("s:1;t:21.50")
    }
    #expect(!outputs.hasFailed)
  }

  @Test func `a session that is not held ends with its status, or when the latch has moved`() {
    var talk = Conversation(PetDoor())
    _ = talk.connect()
    #expect(!talk.receive("m:0").isFinished)
    #expect(talk.receive("s:1;t:21.50").isFinished)
    talk.disconnect()
    _ = talk.connect()
    _ = Self.order(Self.lock, &talk)
    #expect(!talk.receive("s:1;t:21.50").isFinished)
    #expect(talk.receive("s:0;t:21.50").isFinished)
  }
}
