import Testing

@testable import Bridge

struct `An allowance` {
  /// How many of so many attempts at one time succeed.
  private func taken(_ attempts: Int, of allowance: inout Allowance, at now: Duration) -> Int {
    var count = 0
    for _ in 0..<attempts where allowance.takeAtOnce(at: now) { count += 1 }
    return count
  }

  @Test func `is taken until it is used up, and grows again by one at a time`() {
    var allowance = Allowance(atOnce: 3, oneMoreEvery: .seconds(1))
    #expect(taken(5, of: &allowance, at: .seconds(10)) == 3)
    #expect(taken(5, of: &allowance, at: .milliseconds(10_999)) == 0)
    #expect(taken(5, of: &allowance, at: .seconds(11)) == 1)
  }

  @Test func `is no smaller for what was refused, and no larger than it was after a long time`() {
    var allowance = Allowance(atOnce: 3, oneMoreEvery: .seconds(1))
    #expect(taken(1000, of: &allowance, at: .seconds(10)) == 3)
    #expect(taken(1000, of: &allowance, at: .seconds(3600)) == 3)
  }

  @Test func `says how long to wait for the next, each behind the one before`() {
    var allowance = Allowance(atOnce: 1, oneMoreEvery: .seconds(2))
    let waits = (0..<3).map { _ in allowance.take(at: .zero) }
    #expect(waits == [.zero, .seconds(2), .seconds(4)])
  }
}
