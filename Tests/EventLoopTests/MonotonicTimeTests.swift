import EventLoop
import Testing

@Suite struct MonotonicTimeTests {
  @Test(arguments: [
    (Duration.zero, Int64(0)), (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000),
    (.seconds(-2), -2_000_000_000), (.milliseconds(-1), -1_000_000), (.nanoseconds(-1), -1),
    (.seconds(Int64.max), .max / 2), (.seconds(Int64.min), .min / 2),
  ])
  func `a duration in nanoseconds stays within its limits`(duration: Duration, expected: Int64) {
    #expect(duration.nanoseconds == expected)
  }

  @Test func `time advances and is compared`() {
    let start = MonotonicTime(nanoseconds: 1_000)
    let later = start.advanced(by: .microseconds(2))
    #expect(later.nanoseconds == 3_000)
    #expect(start < later)
    #expect(start.duration(to: later) == .microseconds(2))
    #expect(later.duration(to: start) == .microseconds(-2))
  }

  @Test func `now never goes back`() {
    var last = MonotonicTime.now
    for _ in 0..<10_000 {
      let now = MonotonicTime.now
      #expect(now >= last)
      last = now
    }
  }
}
