import EventLoop

/// Which server is next, and after which pause.
///
/// All servers are tried in order without a pause between them; each failed round doubles the pause before the
/// next, up to a limit. After a connection was lost it begins with the first server again, and when that
/// connection had lived long enough, with the shortest pause too.
struct ReconnectPlan {
  let serverCount: Int
  let shortest: Duration
  let longest: Duration
  let healthyAfter: Duration

  /// The server of the present or the next attempt.
  private(set) var server = 0
  private var failedRounds = 0
  private var connectedSince: MonotonicTime?

  init(serverCount: Int, shortest: Duration, longest: Duration, healthyAfter: Duration) {
    self.serverCount = serverCount
    self.shortest = shortest
    self.longest = longest
    self.healthyAfter = healthyAfter
  }

  mutating func connected(at now: MonotonicTime) { connectedSince = now }

  /// The attempt failed or the connection ended. `random` in 0 ..< 1 spreads clients that lost one broker together.
  ///
  /// - Returns: the pause before ``server`` is tried.
  mutating func ended(at now: MonotonicTime, random: Double) -> Duration {
    if let since = connectedSince {
      connectedSince = nil
      if since.duration(to: now) >= healthyAfter { failedRounds = 0 }
      server = 0
    } else {
      server += 1
      if server < serverCount { return .zero }
      server = 0
    }
    defer { failedRounds += 1 }
    return pause(random: random)
  }

  private func pause(random: Double) -> Duration {
    var full = shortest
    for _ in 0..<failedRounds where full < longest { full *= 2 }
    full = min(full, longest)
    return max(shortest, full * (1 - random / 4))
  }
}
