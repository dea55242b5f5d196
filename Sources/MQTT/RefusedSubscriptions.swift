import EventLoop

/// Subscriptions that the broker refused on the present connection.
///
/// They are asked for again, later and later: MQTT 3.1.1 has one code for 'never' and 'not now', and a clustered
/// broker says the latter while its servers look for a majority.
@Loop struct RefusedSubscriptions {
  private var waiting: Set<TopicFilter> = []
  private var told: Set<TopicFilter> = []
  private var backOff: BackOff
  var timer: LoopTimer?

  /// - Parameter backOff: Between two attempts.
  init(_ backOff: BackOff) { self.backOff = backOff }

  /// True when this is news to the handler.
  mutating func add(_ filter: TopicFilter) -> Bool {
    waiting.insert(filter)
    return told.insert(filter).inserted
  }

  /// How long to wait before ``takeAll()``.
  mutating func pause(random: Double = .random(in: 0..<1)) -> Duration {
    backOff.pauseAfterFailure(random: random)
  }

  /// Those to ask for now.
  mutating func takeAll() -> Set<TopicFilter> {
    defer { waiting = [] }
    return waiting
  }

  /// Another connection, other answers.
  mutating func forget() {
    timer?.cancel()
    timer = nil
    waiting = []
    told = []
    backOff.reset()
  }
}
