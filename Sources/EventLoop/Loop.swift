/// The one thread on which the bridge runs, as a global actor.
///
/// A descriptor's handler and a timer's body are called on it without a task hop. C callbacks that arrive on this
/// thread enter by ``assumeIsolated(_:)``; what arrives on another thread hands over by ``enqueue(_:)``.
@globalActor public actor Loop {
  public static let shared = Loop()
  nonisolated static let executor = LoopExecutor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { Loop.executor.asUnownedSerialExecutor() }

  /// Whether the caller runs on the loop's thread.
  public nonisolated static var isCurrent: Bool { executor.isCurrent }

  /// Gives the calling thread to the loop until ``stop()`` is called.
  public nonisolated static func run() { executor.run() }

  /// Ends ``run()`` after the present turn. May be called from any thread.
  public nonisolated static func stop() { executor.stop() }

  /// Runs `body` on the loop soon. For threads of the bridge's own and of C libraries.
  public nonisolated static func enqueue(_ body: sending @escaping @Loop () -> Void) {
    Task { @Loop in body() }
  }

  /// Enters the loop's isolation from a synchronous context on its thread; ends the process on any other.
  ///
  /// The cast only removes `@Loop` from the closure's type, which changes no representation, and the thread was
  /// checked the line before: the same proof as the standard library's `MainActor.assumeIsolated`.
  public nonisolated static func assumeIsolated<T>(_ body: @Loop () throws -> T) rethrows -> T {
    executor.checkIsolated()
    return try withoutActuallyEscaping(body) { escaping in
      try unsafeBitCast(escaping, to: (() throws -> T).self)()
    }
  }

  /// Suspends the caller until the continuation that `body` gets is resumed.
  ///
  /// `body` runs a moment later, when whatever else was ready has been done: what is waited for may have happened by
  /// then. So it looks again before it keeps the continuation.
  ///
  /// After a bare `withCheckedContinuation` the runtime continues on its own pool of threads, and only from there
  /// on the loop: two hand-overs, threads that nobody else needs, and a wait for whatever the pool is busy with.
  /// With the loop as the task's preferred executor it continues here.
  @Loop public static func suspend<T: Sendable>(
    _ body: @Loop (CheckedContinuation<T, Never>) -> Void
  ) async -> T {
    await withTaskExecutorPreference(executor) {
      await withCheckedContinuation { body($0) }
    }
  }
}
