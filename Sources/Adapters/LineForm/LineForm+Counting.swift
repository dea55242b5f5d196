extension LineForm.Session {
  /// Whether a board that is heard answers.
  struct PingState: Hashable, Sendable {
    private(set) var isAwaited = false
    private var silence = Duration.zero

    mutating func isSent() { isAwaited = true }

    mutating func isAnswered() {
      isAwaited = false
      silence = .zero
    }

    /// Nothing has answered for one more `wait`. False when that was too long in all.
    mutating func isMissed(for wait: Duration, atMost limit: Duration) -> Bool {
      silence += wait
      return silence < limit
    }
  }

  /// Lines since the greeting, held against what the board says it sent.
  struct LineCount: Hashable, Sendable {
    private var lines = 0
    private var repeatedAt: Duration?
    /// All values were asked for: the next pong is what is counted from.
    private var isAnew = false
    private var dropped = 0
    private var lostEvents = 0

    mutating func received() { lines = (lines + 1) & 0xFFFF }

    /// Something was lost on the way, and the values are to be asked for.
    mutating func isRepetitionDue(boardSent: Int, at now: Duration) -> Bool {
      if isAnew {
        isAnew = false
        lines = boardSent
      }
      guard boardSent != lines else { return false }
      if let repeatedAt, now - repeatedAt < Timing.repetition { return false }
      repeatedAt = now
      isAnew = true
      return true
    }

    /// What the board has lost since it last said so, in words.
    mutating func losses(dropped: Int, lostEvents: Int) -> [String] {
      defer {
        self.dropped = dropped
        self.lostEvents = lostEvents
      }
      var words: [String] = []
      let lines = (dropped - self.dropped) & 0xFFFF
      if lines > 0 { words.append("\(lines) lines reached the board damaged") }
      let events = (lostEvents - self.lostEvents) & 0xFFFF
      if events > 0 { words.append("\(events) events found no room on the board") }
      return words
    }
  }
}
