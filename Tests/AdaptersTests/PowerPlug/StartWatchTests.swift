import DeviceModel
import Testing

@testable import Adapters

struct `Starts that the power plug moves` {
  private static let daily = Activation.daily(start: "2026-11-30T06:00:00Z", period: 1440)

  private static func moved(_ activation: Activation, by seconds: Int) -> [UInt8] {
    var activation = activation
    activation.start += UInt32(seconds)
    return activation.encoded
  }

  @Test func `a day that the board computes in 16 bits is seen, reported and put right`() {
    var board = PlugTalk([Self.daily], at: "2026-11-30T06:59:50Z")
    board.session()
    #expect(board["drift"] == false)
    board.talk.pass(.seconds(20))
    board.slots[0] = Self.moved(Self.daily, by: 86400 % 65536)
    let outputs = board.session()
    let right = Activation.daily(start: "2026-12-01T06:00:00Z", period: 1440)
    #expect(outputs.sent == [[0x41], [0x55, 0] + right.encoded, [0x41]])
    #expect(board.talk.changes.contains { $0 == ("drift", true) })
    #expect(board["drift"] == false)
    #expect(board.activations[0] == right)
    #expect(board["next_switch"] == "2026-12-01T06:00:00Z")
    #expect(board.session().sent == [[0x41]])
  }

  @Test func `a month of days stays at its hour`() {
    var board = PlugTalk([Self.daily], at: "2026-11-30T06:30:00Z")
    for _ in 0..<31 * 24 * 2 {
      board.session()
      board.talk.pass(.seconds(30 * 60))
      let now = board.talk.now.wall.seconds
      while let activation = board.activations[0], activation.startSeconds + 3600 <= now {
        board.slots[0] = Self.moved(activation, by: 86400 % 65536)
      }
    }
    board.session()
    let start = board.activations[0].map { Timestamp(seconds: $0.startSeconds).iso8601.dropFirst(10) }
    #expect(start == "T06:00:00Z")
    #expect(board["drift"] == false)
  }

  @Test func `a repair that does not take keeps being a drift, and is tried at each look`() {
    var board = PlugTalk([Self.daily], at: "2026-11-30T07:00:10Z")
    board.session()
    board.slots[0] = Self.moved(Self.daily, by: 20864)
    board.lost = [0x55]
    let outputs = board.session()
    #expect(outputs.sent.count { $0.first == 0x55 } == 2)
    #expect(outputs.rejections.isEmpty)
    #expect(outputs.isFinished)
    #expect(board["drift"] == true)
    board.lost = []
    board.session()
    #expect(board["drift"] == false)
  }

  @Test func `a person's change is a change, not a drift`() {
    let cases: [(seconds: Int, why: String)] = [
      (3600, "an hour later"), (86400, "a day later"), (20864 * 50, "further than a board would"),
      (20865, "not by whole steps"),
    ]
    for (seconds, why) in cases {
      var board = PlugTalk([Self.daily], at: "2026-11-30T07:00:10Z")
      board.session()
      board.slots[0] = Self.moved(Self.daily, by: seconds)
      #expect(board.session().sent == [[0x41]], "\(why)")
      #expect(board["drift"] == false, "\(why)")
    }
    var board = PlugTalk([Self.daily], at: "2026-11-30T06:30:00Z")
    board.session()
    board.slots[0] = Self.moved(Self.daily, by: 20864)
    #expect(board.session().sent == [[0x41]], "before the cycle is over")
  }

  @Test func `periods of 1092 minutes and less do not drift, 1093 do`() {
    for (period, step, drifts) in [(1092, 65520, false), (1093, 44, true)] {
      let activation = Activation.daily(start: "2026-11-30T06:00:00Z", period: UInt16(period))
      var board = PlugTalk([activation], at: "2026-11-30T07:00:10Z")
      board.session()
      board.slots[0] = Self.moved(activation, by: step)
      board.session()
      let start = Int(activation.start) + 60 * period
      #expect(board.activations[0]?.start == UInt32(start))
      #expect(board.talk.changes.contains { $0 == ("drift", true) } == drifts)
    }
  }

  @Test func `a period of which nothing is left in 16 bits never moves, and is put right`() {
    let activation = Activation.daily(start: "2026-11-30T06:00:00Z", period: 16384)
    var board = PlugTalk([activation], at: "2026-11-30T07:00:10Z")
    for _ in 0..<30 {
      board.session()
      board.talk.pass(.seconds(10))
    }
    #expect(board.activations[0]?.start == activation.start + 16384 * 60)
  }

  @Test func `a start that stands still though its cycle is over tells of a lost clock`() {
    var board = PlugTalk([.daily(start: "2026-11-30T05:00:00Z")])
    board.session()
    #expect(board["drift"] == false)
    board.talk.pass(.seconds(30))
    board.session()
    #expect(board["drift"] == false)
    board.talk.pass(.seconds(40))
    let outputs = board.session()
    #expect(board["drift"] == true)
    #expect(outputs.sent == [[0x41]])
    board.slots[0] = Self.moved(.daily(start: "2026-11-30T05:00:00Z"), by: 1080 * 60)
    board.session()
    #expect(board["drift"] == false)
  }

  @Test func `in manual mode starts lawfully stand still, and so do cycles that happen once`() {
    var board = PlugTalk([.daily(start: "2026-11-30T05:00:00Z")])
    board.isManual = true
    var once = PlugTalk([.daily(start: "2026-11-30T05:00:00Z", period: 0)])
    for _ in 0..<30 {
      board.session()
      once.session()
      board.talk.pass(.seconds(10))
      once.talk.pass(.seconds(10))
    }
    #expect(board["drift"] == false)
    #expect(once["drift"] == false)
  }

  @Test func `an owner's own change of the start is what holds from then on`() {
    var board = PlugTalk([Self.daily], at: "2026-11-30T07:00:10Z")
    board.session()
    var later = Self.daily
    later.start += 20864
    let outputs = board.session(
      CommandBatch(number: 1, [Command("schedule", verb: .put, later.command)]))
    #expect(outputs.sent.count { $0.first == 0x55 } == 1)
    #expect(board["drift"] == false)
    #expect(board.session().sent == [[0x41]])
  }
}
