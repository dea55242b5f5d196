/// Calls a body after the process stood still for ten seconds or more: it was stopped or frozen (SIGSTOP, a paused
/// container), or the machine slept.
///
/// The body is called before anything that arrived meanwhile is handled, which may be as old as the standstill is
/// long; timers that fell due meanwhile are fired in between.
@Loop public final class StandstillWatch {
  private let body: @Loop (Duration) -> Void

  /// Watches until ``cancel()``.
  public init(_ body: @escaping @Loop (Duration) -> Void) {
    self.body = body
    LoopState.shared.add(self)
  }

  public func cancel() { LoopState.shared.remove(self) }

  func call(_ lost: Duration) { body(lost) }
}
