/// A call at a later time, once, unless cancelled before. Resolution 1 ms; never early.
@Loop public final class LoopTimer {
  let deadline: MonotonicTime
  /// Orders timers of one deadline by their creation.
  let sequence: UInt64
  private var body: (@Loop () -> Void)?

  private static var created: UInt64 = 0

  /// Calls `body` on the loop after `delay`; at once in the next turn when it is zero or negative.
  public init(after delay: Duration, _ body: @escaping @Loop () -> Void) {
    deadline = MonotonicTime.now.advanced(by: delay)
    Self.created += 1
    sequence = Self.created
    self.body = body
    LoopState.shared.add(self)
  }

  /// The body is not called after this returns. Safe to repeat, also after the timer fired.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    LoopState.shared.remove(self)
  }

  func fire() {
    let called = body
    body = nil
    called?()
  }
}

/// Timers by deadline, the earliest last. A bridge has a few for each device: inserting into a sorted array is
/// faster there than a heap, and a cancelled timer is gone at once.
@Loop struct TimerQueue {
  private var timers: [LoopTimer] = []

  var earliest: MonotonicTime? { timers.last?.deadline }

  mutating func insert(_ timer: LoopTimer) {
    timers.insert(timer, at: index(of: timer))
  }

  mutating func remove(_ timer: LoopTimer) {
    let index = index(of: timer)
    guard index < timers.count, timers[index] === timer else { return }
    timers.remove(at: index)
  }

  mutating func popDue(at now: MonotonicTime) -> LoopTimer? {
    guard let last = timers.last, last.deadline <= now else { return nil }
    return timers.removeLast()
  }

  /// The first place whose timer is not due later than `timer`.
  private func index(of timer: LoopTimer) -> Int {
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if isLater(timers[middle], than: timer) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isLater(_ left: LoopTimer, than right: LoopTimer) -> Bool {
    left.deadline == right.deadline ? left.sequence > right.sequence : left.deadline > right.deadline
  }
}

extension Loop {
  /// Suspends the caller for `duration`, without a thread of the runtime's own as `Task.sleep` takes.
  ///
  /// Throws `CancellationError` at once when the task is cancelled.
  @Loop public static func sleep(for duration: Duration) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await sleeper.sleep(for: duration)
    } onCancel: {
      Task { @Loop in sleeper.cancel() }
    }
  }
}

@Loop private final class Sleeper {
  private var timer: LoopTimer?
  private var continuation: CheckedContinuation<Bool, Never>?
  private var isCancelled = false

  func sleep(for duration: Duration) async throws {
    let isUndisturbed = await Loop.suspend { continuation in
      self.continuation = continuation
      if isCancelled || Task.isCancelled { return resume(false) }
      timer = LoopTimer(after: duration) { self.resume(true) }
    }
    if !isUndisturbed { throw CancellationError() }
  }

  func cancel() {
    isCancelled = true
    resume(false)
  }

  private func resume(_ isUndisturbed: Bool) {
    timer?.cancel()
    continuation?.resume(returning: isUndisturbed)
    continuation = nil
  }
}
