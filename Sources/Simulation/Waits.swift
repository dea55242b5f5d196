public import EventLoop

/// What is simulated and can be waited for, without looking again and again.
@Loop public protocol Awaitable: AnyObject {
  /// Who waits; it looks after each change.
  var waits: Waits { get }
  /// How it is, for the error of a wait in vain.
  var summary: String { get }
}

extension Awaitable {
  /// Waits until `condition` holds, looking after each change.
  ///
  /// Throws after `limit` of real time, or when what is waited for has been stopped.
  public func wait(
    atMost limit: Duration = .seconds(60), until condition: @escaping @Loop (Self) -> Bool
  ) async throws(WaitExpired) {
    if await waits.wait(atMost: limit, until: { condition(self) }) { return }
    throw WaitExpired(description: "not within \(limit): \(summary)")
  }
}

/// A wait for something simulated that ended without it.
public struct WaitExpired: Error, CustomStringConvertible {
  public let description: String
}

/// Those who wait until something simulated is as they want it.
@Loop public final class Waits {
  private var waits: [Int: Wait] = [:]
  private var begun = 0
  private var looksAtTurnEnd = false

  private struct Wait {
    let condition: @Loop () -> Bool
    let continuation: CheckedContinuation<Bool, Never>
    let deadline: LoopTimer
  }

  nonisolated init() {}

  func wait(atMost limit: Duration, until condition: @escaping @Loop () -> Bool) async -> Bool {
    if condition() { return true }
    let key = begun
    begun += 1
    return await Loop.suspend { continuation in
      // The suspension takes a moment, in which it may have come true.
      if condition() { return continuation.resume(returning: true) }
      let deadline = LoopTimer(after: limit) { [weak self] in self?.finish(key, with: false) }
      waits[key] = Wait(condition: condition, continuation: continuation, deadline: deadline)
    }
  }

  /// Something has changed.
  func look() {
    for (key, wait) in waits where wait.condition() { finish(key, with: true) }
  }

  /// Something is changing: what follows from it at once is seen too.
  func lookAtTurnEnd() {
    guard !waits.isEmpty, !looksAtTurnEnd else { return }
    looksAtTurnEnd = true
    Loop.atTurnEnd { [weak self] in
      self?.looksAtTurnEnd = false
      self?.look()
    }
  }

  /// Nothing will change any more.
  func end() {
    for key in waits.keys { finish(key, with: false) }
  }

  private func finish(_ key: Int, with result: Bool) {
    guard let wait = waits.removeValue(forKey: key) else { return }
    wait.deadline.cancel()
    wait.continuation.resume(returning: result)
  }
}
