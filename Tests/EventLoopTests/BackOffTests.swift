import EventLoop
import Testing

@Suite struct BackOffTests {
  @Test func `pauses double up to their limit`() {
    var backOff = BackOff()
    let pauses = (0..<8).map { _ in backOff.pauseAfterFailure(random: 0) }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }

  @Test(arguments: [-1, 0, 0.3, 0.999, 1, 7])
  func `jitter shortens by half at most`(random: Double) {
    var backOff = BackOff()
    for full in [1, 2, 4, 8, 16, 32, 60, 60] as [Double] {
      let pause = backOff.pauseAfterFailure(random: random)
      #expect(pause <= .seconds(full))
      #expect(pause >= .seconds(full / 2))
    }
  }

  @Test func `a million failures stay at the limit`() {
    var backOff = BackOff(first: .milliseconds(1), longest: .seconds(60))
    for _ in 0..<1_000_000 { _ = backOff.pauseAfterFailure(random: 0) }
    let pause = backOff.pauseAfterFailure(random: 0)
    #expect(pause == .seconds(60))
  }

  @Test func `only a healthy connection starts the count anew`() {
    var backOff = BackOff()
    for _ in 0..<3 { _ = backOff.pauseAfterFailure(random: 0) }
    backOff.connectionHeld(for: .seconds(59))
    let unhealthy = backOff.pauseAfterFailure(random: 0)
    backOff.connectionHeld(for: .seconds(60))
    let healthy = backOff.pauseAfterFailure(random: 0)
    #expect((unhealthy, healthy) == (.seconds(8), .seconds(1)))
  }

  @Test func `a reset starts the count anew`() {
    var backOff = BackOff()
    for _ in 0..<3 { _ = backOff.pauseAfterFailure(random: 0) }
    backOff.reset()
    let pause = backOff.pauseAfterFailure(random: 0)
    #expect(pause == .seconds(1))
  }
}
