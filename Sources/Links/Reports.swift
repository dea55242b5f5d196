import EventLoop

/// What a link tells of its owner's sends: at the end of the turn, as it never calls from within the owner's call, and
/// always before it goes down, so that each number is told once.
@Loop final class Reports {
  private let handler: LinkEvent.Handler
  private var due: [LinkEvent] = []
  /// Counts how often the owner closed the link, so that a loop over events sees when a handler did.
  private var closed = 0

  init(_ handler: @escaping LinkEvent.Handler) { self.handler = handler }

  func sent(_ number: UInt64?) {
    if let number { add(.sent(number)) }
  }

  func notSent(_ number: UInt64?, _ why: String, mayHaveArrived: Bool = false) {
    if let number { add(.notSent(number, why, mayHaveArrived: mayHaveArrived)) }
  }

  /// Tells all that is due, and `unsent` as not sent, and then that the link is down.
  func end(_ failure: LinkFailure, unsent: [UInt64]) {
    due += unsent.map { .notSent($0, failure.description) }
    let current = closed
    deliver()
    if current == closed { handler(.down(failure)) }
  }

  /// The owner closed the link: nothing is told any more.
  func forget() {
    closed += 1
    due = []
  }

  private func add(_ event: LinkEvent) {
    due.append(event)
    if due.count == 1 { Loop.atTurnEnd { self.deliver() } }
  }

  private func deliver() {
    let events = due
    due = []
    let current = closed
    for event in events where current == closed { handler(event) }
  }
}
