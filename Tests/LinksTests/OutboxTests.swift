import DeviceModel
import TestSupport
import Testing

@testable import Links

struct OutboxTests {
  private func send(_ text: String, _ policy: Output.Send.Policy = .keep, _ number: UInt64? = nil)
    -> Output.Send
  {
    Output.Send(Array(text.utf8), policy: policy, number: number)
  }

  /// What leaves when everything can, `|` after each send.
  private func drain(_ box: inout Outbox) -> String {
    var text = ""
    while let head = box.head {
      text += String(decoding: head, as: UTF8.self) + "|"
      _ = box.advance(by: head.count)
    }
    return text
  }

  @Test func `sends leave in their order and each number once`() throws {
    var box = Outbox()
    #expect(try box.append(send("ab", .keep, 1), at: .zero) == nil)
    #expect(try box.append(send("c"), at: .zero) == nil)
    #expect(try box.append(send("", .keep, 3), at: .zero) == nil)
    #expect(box.head.map(Array.init) == Array("ab".utf8))
    #expect(box.advance(by: 1) == nil)
    #expect(box.head.map(Array.init) == Array("b".utf8))
    #expect(box.advance(by: 1) == 1)
    #expect(box.advance(by: 1) == nil)
    #expect(box.head?.isEmpty == true)
    #expect(box.advance(by: 0) == 3)
    #expect(box.isEmpty)
    #expect(box.head == nil)
  }

  @Test func `a later value supersedes the waiting one of its word and of no other`() throws {
    var box = Outbox()
    _ = try box.append(send("t1", .latest("throttle"), 1), at: .zero)
    _ = try box.append(send("s1", .latest("steering"), 2), at: .zero)
    _ = try box.append(send("stop", .keep, 3), at: .zero)
    #expect(try box.append(send("t2", .latest("throttle"), 4), at: .zero) == 1)
    #expect(drain(&box) == "s1|stop|t2|")
  }

  @Test func `what is half written is not superseded`() throws {
    var box = Outbox()
    _ = try box.append(send("t1", .latest("throttle"), 1), at: .zero)
    _ = box.advance(by: 1)
    #expect(try box.append(send("t2", .latest("throttle"), 2), at: .zero) == nil)
    #expect(try box.append(send("t3", .latest("throttle"), 3), at: .zero) == 2)
    #expect(drain(&box) == "1|t3|")
  }

  @Test func `what is overdue is dropped, unless it is half written`() throws {
    var box = Outbox()
    _ = try box.append(send("a", .expires(.seconds(5)), 1), at: .seconds(10))
    _ = try box.append(send("bb", .expires(.seconds(2)), 2), at: .seconds(10))
    _ = try box.append(send("c", .keep, 3), at: .seconds(10))
    #expect(box.nextExpiry == .seconds(12))
    #expect(box.dropExpired(at: .seconds(12) - .nanoseconds(1)) == [])
    #expect(box.dropExpired(at: .seconds(12)) == [2])
    #expect(box.nextExpiry == .seconds(15))
    #expect(drain(&box) == "a|c|")

    _ = try box.append(send("dd", .expires(.seconds(1)), 4), at: .zero)
    _ = box.advance(by: 1)
    #expect(box.nextExpiry == nil)
    #expect(box.dropExpired(at: .seconds(100)) == [])
    #expect(drain(&box) == "d|")
  }

  @Test func `more than may wait is refused, and nothing has changed then`() throws {
    var box = Outbox()
    let large = [UInt8](repeating: 7, count: Outbox.limit - 2 * Outbox.overhead)
    _ = try box.append(Output.Send(large, policy: .latest("x"), number: 1), at: .zero)
    _ = try box.append(Output.Send([], number: 2), at: .zero)
    #expect(throws: LinkFailure.overflow(limit: Outbox.limit)) { try box.append(Output.Send([1]), at: .zero) }
    let larger = [UInt8](repeating: 7, count: Outbox.limit)
    #expect(throws: LinkFailure.overflow(limit: Outbox.limit)) {
      try box.append(Output.Send(larger, policy: .latest("x"), number: 3), at: .zero)
    }
    #expect(try box.append(Output.Send(large, policy: .latest("x"), number: 4), at: .zero) == 1)
    #expect(box.removeAll() == [2, 4])
    #expect(try box.append(Output.Send(large), at: .zero) == nil)
  }

  @Test func `sends of nothing are bounded as well`() {
    var box = Outbox()
    #expect(throws: LinkFailure.overflow(limit: Outbox.limit)) {
      for _ in 0..<100_000 { _ = try box.append(Output.Send([]), at: .zero) }
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `whatever happens, each number ends once`(seed: UInt64) {
    var random = SeededRandom(seed)
    var box = Outbox()
    var now = Duration.zero
    var open: Set<UInt64> = []
    func ended(_ numbers: [UInt64]) {
      for number in numbers { #expect(open.remove(number) != nil, "\(number) ended twice") }
    }
    for number in 1...400 as ClosedRange<UInt64> {
      now += .milliseconds(Int.random(in: 0...20, using: &random))
      let policies: [Output.Send.Policy] = [.keep, .latest("a"), .latest("b"), .expires(.milliseconds(50))]
      let policy = policies.randomElement(using: &random) ?? .keep
      let bytes = [UInt8](repeating: 1, count: Int.random(in: 0...4000, using: &random))
      do throws(LinkFailure) {
        let superseded = try box.append(Output.Send(bytes, policy: policy, number: number), at: now)
        open.insert(number)
        ended([superseded].compactMap(\.self))
      } catch {
        #expect(error == .overflow(limit: Outbox.limit))
      }
      ended(box.dropExpired(at: now))
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        if let head = box.head {
          ended([box.advance(by: Int.random(in: 0...head.count, using: &random))].compactMap(\.self))
        }
      }
    }
    ended(box.removeAll())
    #expect(open.isEmpty)
    #expect(throws: Never.self) {
      try box.append(Output.Send([UInt8](repeating: 0, count: Outbox.limit - Outbox.overhead)), at: now)
    }
  }
}

extension OutboxTests {
  @Test func `what overtakes leaves before all that is not begun, and takes its place`() throws {
    var box = Outbox()
    for number in 1...4 { _ = try box.append(send("a\(number)", .keep, UInt64(number)), at: .zero) }
    _ = try box.append(send("t1", .latest("throttle"), 5), at: .zero)
    _ = box.advance(by: 1)
    let stop = send("stop", .overtaking, 6)
    #expect(box.makeWay(for: send("b")) == [])
    #expect(box.makeWay(for: stop) == [2, 3, 4, 5])
    #expect(try box.append(stop, at: .zero) == nil)
    _ = try box.append(send("c", .keep, 7), at: .zero)
    let second = send("halt", .overtaking, 8)
    #expect(box.makeWay(for: second) == [7])
    _ = try box.append(second, at: .zero)
    #expect(drain(&box) == "1|stop|halt|")
  }

  @Test func `there is always room for what overtakes`() throws {
    var box = Outbox()
    while (try? box.append(send(String(repeating: "x", count: 500)), at: .zero)) != nil {}
    let stop = send("stop", .overtaking)
    _ = box.makeWay(for: stop)
    #expect(try box.append(stop, at: .zero) == nil)
    #expect(drain(&box) == "stop|")
  }
}
