import Testing

@testable import EventLoop

@Suite struct StandstillTests {
  private static let start = MonotonicTime(nanoseconds: 5_000)

  private func lost(_ elapsed: Duration, after planned: Duration?) -> Duration? {
    var standstill = Standstill()
    _ = standstill.awoke(at: Self.start, after: .zero)
    return standstill.awoke(at: Self.start.advanced(by: elapsed), after: planned)
  }

  @Test(arguments: [
    (Duration.seconds(60), Duration.seconds(5), Duration.seconds(55)), (.seconds(10), .zero, .seconds(10)),
    (.seconds(86_400), .seconds(1), .seconds(86_399)),
  ])
  func `a wait much longer than was wanted is one`(elapsed: Duration, planned: Duration, expected: Duration) {
    #expect(lost(elapsed, after: planned) == expected)
  }

  @Test(arguments: [
    (Duration.seconds(9), Duration.zero), (.seconds(14), .seconds(5)), (.seconds(1), .seconds(5)),
    (.zero, .zero),
  ])
  func `a wait that was wanted, and what a busy machine adds, is none`(elapsed: Duration, planned: Duration) {
    #expect(lost(elapsed, after: planned) == nil)
  }

  @Test func `nothing can be told of a wait without an end`() {
    #expect(lost(.seconds(3600), after: nil) == nil)
  }

  @Test func `each is told once, and there is none before the first wait`() {
    var standstill = Standstill()
    let told = [0, 30, 31].map { seconds in
      standstill.awoke(at: Self.start.advanced(by: .seconds(seconds)), after: .seconds(1))
    }
    #expect(told == [nil, .seconds(29), nil])
  }
}
