import EventLoop

/// A call into the system that may block, made on a thread of its own so that the loop does not wait; one at a
/// time.
///
/// A thread cannot be called back. Who gives up leaves it alone, and what it brings in the end goes to whoever
/// waits by then: attempts that end before it does pile up no threads.
@Loop final class BlockingCall<Answer: Sendable> {
  private let call: @Sendable () -> Answer
  private let discard: @Loop (Answer) -> Void
  private var claim: (@Loop (Answer) -> Void)?
  private var isRunning = false

  /// - Parameter discard: Takes an answer for which nobody waits any more.
  init(_ call: @escaping @Sendable () -> Answer, discard: @escaping @Loop (Answer) -> Void = { _ in }) {
    self.call = call
    self.discard = discard
  }

  /// Calls `claim` on the loop with the answer, never from within this call.
  func begin(_ claim: @escaping @Loop (Answer) -> Void) throws(LinkFailure) {
    self.claim = claim
    guard !isRunning else { return }
    let call = call
    do throws(SystemCallFailure) {
      try DetachedThread.start {
        let answer = call()
        Loop.enqueue { self.finish(answer) }
      }
    } catch {
      throw .unavailable(error.description)
    }
    isRunning = true
  }

  func giveUp() { claim = nil }

  private func finish(_ answer: Answer) {
    isRunning = false
    guard let claim else {
      discard(answer)
      return
    }
    self.claim = nil
    claim(answer)
  }
}
