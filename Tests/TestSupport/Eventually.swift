import EventLoop

/// Looks until `condition` holds, true as soon as it does: for what tells nobody when it changes, a file or another
/// process.
///
/// What can be awaited is awaited instead: an ``Inbox``, or the `wait` of a simulated board.
public func eventually(
  within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async rethrows -> Bool {
  _ = LoopThread.started
  let deadline = MonotonicTime.now.advanced(by: limit)
  while try await !condition() {
    if MonotonicTime.now >= deadline { return false }
    try? await Loop.sleep(for: .milliseconds(10))
  }
  return true
}
