import EventLoop
import TestSupport
import Testing

@Suite struct LoopTimerTests {
  init() { #expect(LoopThread.started) }

  private let fired = Inbox<Int>("the timers that fired")

  @Loop @Test func `timers fire in the order of their deadlines, not of their creation`() async throws {
    let timers = [30, 10, 20, 0, 5].map { milliseconds in
      LoopTimer(after: .milliseconds(milliseconds)) { [fired] in fired.append(milliseconds) }
    }
    try await fired.first { $0 == 30 }
    #expect(fired.all == [0, 5, 10, 20, 30])
    for timer in timers { timer.cancel() }
  }

  @Loop @Test(arguments: [false, true])
  func `a timer is never early`(isLoopBusy: Bool) async throws {
    var isBusy = isLoopBusy
    // A loop that has always something to do looks at its timers all the time.
    @Loop func turn() {
      if isBusy { Loop.atTurnEnd { turn() } }
    }
    turn()
    defer { isBusy = false }
    for milliseconds in [0, 1, 3, 7] {
      let start = MonotonicTime.now
      let seen = fired.count
      let timer = LoopTimer(after: .milliseconds(milliseconds)) { [fired] in
        let waited = start.duration(to: .now)
        fired.append(waited >= .milliseconds(milliseconds) ? 1 : 0)
      }
      #expect(try await fired.first(from: seen) == 1)
      timer.cancel()
    }
  }

  @Loop @Test func `a negative delay is due at once`() async throws {
    let timer = LoopTimer(after: .seconds(-5)) { [fired] in fired.append(1) }
    try await fired.first()
    timer.cancel()
  }

  @Loop @Test func `a cancelled timer does not fire`() async throws {
    let cancelled = (0..<20).map { index in
      LoopTimer(after: .milliseconds(index % 5)) { [fired] in fired.append(index) }
    }
    for timer in cancelled.reversed() {
      timer.cancel()
      timer.cancel()
    }
    let last = LoopTimer(after: .milliseconds(10)) { [fired] in fired.append(100) }
    try await fired.first()
    #expect(fired.all == [100])
    last.cancel()
  }

  @Loop @Test func `a timer may cancel another that is due with it`() async throws {
    var timers: [LoopTimer] = []
    timers = (0..<2).map { index in
      LoopTimer(after: .zero) { [fired] in
        fired.append(index)
        timers[1 - index].cancel()
      }
    }
    try await Loop.sleep(for: .milliseconds(2))
    #expect(fired.all == [0])
  }

  @Loop @Test func `a timer may be renewed from its own body`() async throws {
    var timer: LoopTimer?
    @Loop func arm(_ rest: Int) {
      timer = LoopTimer(after: .zero) { [fired] in
        fired.append(rest)
        if rest > 0 { arm(rest - 1) }
      }
    }
    arm(5)
    try await fired.first { $0 == 0 }
    #expect(fired.all == [5, 4, 3, 2, 1, 0])
    timer?.cancel()
  }

  @Loop @Test func `many timers set and cancelled at random fire as they should`() async throws {
    var generator = SystemRandomNumberGenerator()
    var expected: Set<Int> = []
    var timers: [LoopTimer] = []
    for index in 0..<500 {
      let delay = Int.random(in: 0..<20, using: &generator)
      timers.append(LoopTimer(after: .milliseconds(delay)) { [fired] in fired.append(index) })
      if Bool.random(using: &generator) { timers[index].cancel() } else { expected.insert(index) }
    }
    let last = LoopTimer(after: .milliseconds(25)) { [fired] in fired.append(-1) }
    try await fired.first { $0 == -1 }
    #expect(fired.all.count == expected.count + 1)
    #expect(Set(fired.all.dropLast()) == expected)
    last.cancel()
  }

  @Loop @Test func `a sleep ends by itself`() async throws {
    let start = MonotonicTime.now
    try await Loop.sleep(for: .milliseconds(5))
    #expect(start.duration(to: .now) >= .milliseconds(5))
    #expect(Loop.isCurrent)
  }

  @Loop @Test func `a cancelled sleep ends at once`() async throws {
    let task = Task { @Loop [fired] in
      fired.append(1)
      do {
        try await Loop.sleep(for: .seconds(3600))
        return false
      } catch is CancellationError {
        return true
      } catch {
        return false
      }
    }
    try await fired.first()
    task.cancel()
    #expect(await task.value)
  }

  @Loop @Test func `a sleep in a task that is cancelled already does not begin`() async throws {
    let task = Task { @Loop in try await Loop.sleep(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Loop @Test func `a sleep may be cancelled after its end`() async throws {
    let task = Task { @Loop in try await Loop.sleep(for: .zero) }
    try await task.value
    task.cancel()
    try await Loop.sleep(for: .milliseconds(1))
  }
}
