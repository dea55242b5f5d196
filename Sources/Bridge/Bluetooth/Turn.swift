import EventLoop

/// One after the other, in the order of asking; so many wait at most.
@Loop final class Turn {
  private let limit: Int
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { waiting.count >= limit }

  func take() async {
    await Loop.suspend { turn in
      if isTaken { return waiting.append(turn) }
      isTaken = true
      turn.resume()
    }
  }

  func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
