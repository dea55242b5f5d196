import DeviceModel

extension LineForm.Session {
  mutating func accept(
    _ batch: CommandBatch, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    guard phase != .down else {
      let rejection = Rejection(.away, "the board is not connected")
      return outputs.append(.reject(batch.number, batch.commands.first?.property, rejection))
    }
    let wasWaiting = queue.isWaiting
    queue.add(batch, into: &outputs)
    if isHeard {
      advance(at: now, into: &outputs, facts: &facts)
    } else if !wasWaiting {
      outputs.append(.setTimer(Timer.patience, after: Timing.patience))
    }
  }

  /// Sends what comes next, if nothing is awaited.
  mutating func advance(at now: Duration, into outputs: inout [Output], facts: inout [Fact]) {
    guard isHeard, let known, queue.present == nil else { return }
    if let line = queue.next(for: known, tables: tables, into: &outputs) {
      send(line, at: now, into: &outputs)
      outputs.append(.setTimer(Timer.command, after: Timing.answer))
    } else {
      outputs.append(.cancelTimer(Timer.command))
      facts.append(.idle)
    }
  }

  /// False for a timer that is another's.
  mutating func timerFired(
    _ name: String, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) -> Bool {
    switch name {
    case Timer.answer: answerIsLate(at: now, into: &outputs, facts: &facts)
    case Timer.ask:
      guard phase == .listening, manners == .mayAsk else { break }
      send(.whoAreYou, at: now, into: &outputs)
      outputs.append(.setTimer(Timer.ask, after: Timing.question))
    case Timer.ping: pingIsDue(at: now, into: &outputs)
    case Timer.command: commandIsLate(at: now, into: &outputs, facts: &facts)
    case Timer.patience:
      guard !isHeard else { break }
      queue.failWaiting(
        Rejection(.timeout, "the board is connected, but has not introduced itself"), into: &outputs)
    default: return false
    }
    return true
  }

  private mutating func answerIsLate(
    at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    switch phase {
    case .identifying(let hello): meet(hello, at: now, into: &outputs, facts: &facts)
    case .describing(var describing):
      guard describing.isSilent(), let index = describing.firstMissing else {
        outputs.append(.log(.error, "the board says who it is, but does not describe itself"))
        return listen(into: &outputs)
      }
      phase = .describing(describing)
      send(.describe(index: index), at: now, into: &outputs)
      outputs.append(.setTimer(Timer.answer, after: Timing.answer))
    case .greeting(let token, let attempts):
      guard attempts < Timing.attempts else {
        outputs.append(.log(.error, "the board says who it is, but answers no greeting"))
        return listen(into: &outputs)
      }
      greet(token, attempts: attempts + 1, at: now, into: &outputs)
    case .down, .listening, .heard: break
    }
  }

  private mutating func pingIsDue(at now: Duration, into outputs: inout [Output]) {
    guard isHeard else { return }
    if ping.isAwaited {
      // As long as for a patient board, however often that is.
      guard ping.isMissed(for: pong, atMost: Timing.pong * Timing.attempts) else {
        return outputs.append(.sessionFailed(.board, "the board does not answer"))
      }
    } else if sentAt + quiet > now {
      return outputs.append(.setTimer(Timer.ping, after: sentAt + quiet - now))
    }
    send(.ping, at: now, into: &outputs)
    ping.isSent()
    outputs.append(.setTimer(Timer.ping, after: pong))
  }

  /// A ping may be lost without the board taking the bridge for gone.
  var quiet: Duration { min(Timing.quiet, third ?? Timing.quiet) }
  private var pong: Duration { min(Timing.pong, third ?? Timing.pong) }
  private var third: Duration? { known?.hello.patience.map { $0 / 3 } }

  private mutating func commandIsLate(
    at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    guard isHeard, queue.present != nil else { return }
    if let line = queue.again() {
      send(line, at: now, into: &outputs)
      outputs.append(.setTimer(Timer.command, after: Timing.answer))
    } else {
      let words = "the board did not answer, asked \(Timing.attempts) times"
      queue.failPresent(Rejection(.timeout, words), into: &outputs)
      advance(at: now, into: &outputs, facts: &facts)
    }
  }
}
