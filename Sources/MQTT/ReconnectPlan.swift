import EventLoop

/// Which server is next, and after which pause.
///
/// All servers are tried in order without a pause between them; each failed round lengthens the pause before the
/// next. After a connection was lost it begins with the first server again, and when that connection had lived
/// long enough, or the last one lost was another server's, with the shortest pause too.
struct ReconnectPlan {
  let serverCount: Int
  /// The server of the present or the next attempt.
  private(set) var server = 0
  private var backOff: BackOff
  private var connectedSince: MonotonicTime?
  /// The server whose connection was lost last.
  private var lost: Int?

  init(serverCount: Int, backOff: BackOff) {
    self.serverCount = serverCount
    self.backOff = backOff
  }

  mutating func connected(at now: MonotonicTime) { connectedSince = now }

  /// The attempt failed or the connection ended. `random` in 0 ..< 1 spreads clients that lost one broker together.
  ///
  /// - Returns: the pause before ``server`` is tried.
  mutating func ended(at now: MonotonicTime, random: Double) -> Duration {
    if let since = connectedSince {
      connectedSince = nil
      backOff.connectionHeld(for: since.duration(to: now))
      if let lost, lost != server { backOff.reset() }
      lost = server
    } else if server + 1 < serverCount {
      server += 1
      return .zero
    }
    server = 0
    return backOff.pauseAfterFailure(random: random)
  }
}
