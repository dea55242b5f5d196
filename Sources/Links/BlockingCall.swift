import EventLoop
import Glibc

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
    try DetachedThread.start {
      let answer = call()
      Loop.enqueue { self.finish(answer) }
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

enum DetachedThread {
  private final class Context: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) throws(LinkFailure) {
    let context = Unmanaged.passRetained(Context(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, enter, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw .unavailable("no thread: \(SystemError.words(code))")
    }
    pthread_detach(thread)
  }

  private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    if let context { Unmanaged<Context>.fromOpaque(context).takeRetainedValue().body() }
    return nil
  }
}
