import Testing

@testable import Bridge

struct `An allowance` {
  @Test func `is taken until it is used up, and grows again by one at a time`() {
    var allowance = Allowance(atOnce: 3, oneMoreEvery: .seconds(1))
    for _ in 0..<3 { #expect(allowance.takeAtOnce(at: .seconds(10))) }
    #expect(!allowance.takeAtOnce(at: .seconds(10)))
    #expect(!allowance.takeAtOnce(at: .milliseconds(10_999)))
    #expect(allowance.takeAtOnce(at: .seconds(11)))
    #expect(!allowance.takeAtOnce(at: .seconds(11)))
  }

  @Test func `is no smaller for what was refused, and no larger than it was after a long time`() {
    var allowance = Allowance(atOnce: 3, oneMoreEvery: .seconds(1))
    let early = (0..<1000).filter { _ in allowance.takeAtOnce(at: .seconds(10)) }
    #expect(early.count == 3)
    let late = (0..<1000).filter { _ in allowance.takeAtOnce(at: .seconds(3600)) }
    #expect(late.count == 3)
  }

  @Test func `says how long to wait for the next, each behind the one before`() {
    var allowance = Allowance(atOnce: 1, oneMoreEvery: .seconds(2))
    #expect(allowance.take(at: .zero) == .zero)
    #expect(allowance.take(at: .zero) == .seconds(2))
    #expect(allowance.take(at: .zero) == .seconds(4))
  }
}
