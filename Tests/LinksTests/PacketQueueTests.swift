import DeviceModel
import EventLoop
import TestSupport
import Testing

@testable import Links

/// Sends over a link that takes one packet at a time, and says at once or later that it is done.
@Suite(.timeLimit(.minutes(4)))
struct PacketQueueTests {
  init() { #expect(LoopThread.started) }

  /// The radio: takes packets of 4 bytes and finishes them when the test says so.
  @Loop private final class Radio {
    let recorder = Recorder()
    let reports: Reports
    private(set) var packets: [String] = []
    private var completions: [PacketQueue.Completion] = []
    var isImmediate = false
    private(set) lazy var queue = PacketQueue(reports) { [weak self] packet, completion in
      guard let self else { return }
      packets.append(String(decoding: packet, as: UTF8.self))
      if isImmediate { completion(.success(())) } else { completions.append(completion) }
    }

    init() {
      reports = Reports(recorder.handler)
      queue.open(maximumPacket: 4)
    }

    func send(_ text: String, _ policy: Output.Send.Policy = .keep, number: UInt64? = nil) throws {
      try queue.send(Output.Send(text, policy, number: number))
    }

    func finish(_ result: Result<Void, LinkFailure> = .success(())) {
      if !completions.isEmpty { completions.removeFirst()(result) }
    }
  }

  @Loop @Test(arguments: [false, true])
  func `sends are cut into packets, in order, and each number is told once`(isImmediate: Bool) async throws {
    let radio = Radio()
    radio.isImmediate = isImmediate
    try radio.send("abcdefghij", number: 1)
    try radio.send("", number: 2)
    try radio.send("klmn", number: 3)
    for _ in 0..<4 { radio.finish() }
    await turns()
    #expect(radio.packets == ["abcd", "efgh", "ij", "klmn"])
    #expect(radio.recorder.words == ["sent 1", "sent 2", "sent 3"])
  }

  @Loop @Test func `a stop goes next, and what it overtakes is told as not sent`() async throws {
    let radio = Radio()
    try radio.send("L=0", number: 1)
    try radio.send("T=20", number: 2)
    try radio.send("R=50", number: 3)
    try radio.send("T=0", .overtaking, number: 4)
    for _ in 0..<4 { radio.finish() }
    await turns()
    #expect(radio.packets == ["L=0", "T=0"])
    #expect(radio.recorder.words.filter { $0.hasPrefix("sent") } == ["sent 1", "sent 4"])
    #expect(radio.recorder.words.count == 4)
  }

  @Loop @Test func `what is on its way is neither superseded nor overdue`() async throws {
    let radio = Radio()
    try radio.send("t=1", .latest("throttle"), number: 1)
    try radio.send("t=2", .latest("throttle"), number: 2)
    try radio.send("t=3", .latest("throttle"), number: 3)
    radio.finish()
    radio.finish()
    try radio.send("x", .expires(.zero), number: 4)
    try radio.send("y", number: 5)
    radio.finish()
    radio.finish()
    await turns()
    #expect(radio.packets == ["t=1", "t=3", "x", "y"])
    #expect(radio.recorder.outcomes == [1: 1, 2: 1, 3: 1, 4: 1, 5: 1])
    #expect(radio.recorder.words.filter { $0.hasPrefix("notSent") }.count == 1)
  }

  @Loop @Test func `what expires behind a packet that hangs is told in its time`() async throws {
    let radio = Radio()
    try radio.send("hang")
    try radio.send("late", .expires(.milliseconds(30)), number: 1)
    try await radio.recorder.event("notSent")
    radio.finish()
    #expect(radio.packets == ["hang"])
  }

  @Loop @Test func `a packet that fails takes what waits with it, and the next send goes`() async throws {
    let radio = Radio()
    try radio.send("abcdef", number: 1)
    try radio.send("g", number: 2)
    radio.finish(.failure(.broken("radio")))
    try radio.send("h", number: 3)
    radio.finish()
    await turns()
    #expect(radio.packets == ["abcd", "h"])
    #expect(
      radio.recorder.words == [
        "notSent 1: connection broke: radio", "notSent 2: connection broke: radio", "sent 3",
      ])
  }

  @Loop @Test func `of an error that proves nothing the packet on its way may have arrived, and no other`()
    async throws
  {
    let radio = Radio()
    try radio.send("abcd", number: 1)
    try radio.send("efghij", number: 2)
    radio.finish(.failure(.unproven("ATT error 0x80")))
    try radio.send("klmnop", number: 3)
    radio.finish(.failure(.unproven("ATT error 0x80")))
    try radio.send("q", number: 4)
    radio.finish(.failure(.broken("radio")))
    await turns()
    #expect(radio.packets == ["abcd", "klmn", "q"])
    let doubtful = radio.recorder.events.all.compactMap { event in
      if case .notSent(let number, _, true) = event { number } else { nil }
    }
    // Of the third only the beginning can have arrived.
    #expect(doubtful == [1])
    #expect(radio.recorder.outcomes == [1: 1, 2: 1, 3: 1, 4: 1])
  }

  @Loop @Test func `a completion after the end of its connection is nothing to the next`() async throws {
    let radio = Radio()
    try radio.send("abcd", number: 1)
    try radio.send("e", number: 2)
    #expect(radio.queue.close() == [1, 2])
    radio.queue.open(maximumPacket: 4)
    try radio.send("new", number: 3)
    radio.finish(.failure(.broken("old")))
    await turns()
    #expect(radio.recorder.events.count == 0)
    radio.finish()
    await turns()
    #expect(radio.recorder.words == ["sent 3"])
  }

  @Loop @Test func `nothing leaves after more than may wait`() async throws {
    let radio = Radio()
    try radio.send("hang", number: 1)
    #expect(throws: LinkFailure.overflow(limit: Outbox.limit)) {
      try radio.queue.send(Output.Send([UInt8](repeating: 0, count: Outbox.limit), number: 2))
    }
    try radio.send("after", number: 3)
    radio.finish()
    await turns()
    #expect(radio.packets == ["hang"])
    #expect(radio.recorder.outcomes == [1: 1, 2: 1, 3: 1])
  }

  @Loop @Test func `an owner that closes while it is told hears no more`() async throws {
    let radio = Radio()
    radio.recorder.onEvent = { _ in radio.reports.forget() }
    radio.reports.sent(1)
    radio.reports.notSent(2, "x")
    radio.reports.end(.closedByPeer, unsent: [3])
    await turns()
    #expect(radio.recorder.words == ["sent 1"])
  }
}
