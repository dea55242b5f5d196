import DeviceModel

/// From a board's hello to its greeting.
extension LineForm.Session {
  mutating func take(
    _ hello: LineForm.Hello, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    switch phase {
    // What it says again while it is not greeted yet.
    case .describing(let describing) where describing.hello == hello: return
    case .greeting(let token, _) where token == hello.token: return
    case .identifying(let before) where before == hello: return
    case .heard:
      outputs.append(.cancelTimer(Timer.ping))
      outputs.append(.cancelTimer(Timer.command))
      queue.failPresent(Rejection(.linkError, "the board has started anew"), into: &outputs)
      if queue.isWaiting { outputs.append(.setTimer(Timer.patience, after: Timing.patience)) }
    default: break
    }
    outputs.append(.cancelTimer(Timer.ask))
    if hello.keepsIdentity, hello.identity == nil, !hasOfferedIdentity {
      hasOfferedIdentity = true
      phase = .identifying(hello)
      outputs.append(.wantRandom(bytes: 4))
      outputs.append(.setTimer(Timer.answer, after: Timing.answer))
    } else {
      meet(hello, at: now, into: &outputs, facts: &facts)
    }
  }

  mutating func takeRandom(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard case .identifying = phase, bytes.count >= 4 else { return }
    let number = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    send(.keepIdentity(LineForm.Token(max(number, 1))), at: now, into: &outputs)
    outputs.append(.setTimer(Timer.answer, after: Timing.answer))
  }

  /// Greets a board that is known, asks another what it is.
  mutating func meet(
    _ hello: LineForm.Hello, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    if let known, known.hello.token == hello.token, known.hello.body == hello.body {
      greet(hello.token, attempts: 1, at: now, into: &outputs)
    } else {
      let describing = Describing(hello: hello)
      phase = .describing(describing)
      if describing.isComplete {
        describe(describing, at: now, into: &outputs, facts: &facts)
      } else {
        send(.describe(index: nil), at: now, into: &outputs)
        outputs.append(.setTimer(Timer.answer, after: Timing.answer))
      }
    }
  }

  mutating func describe(
    _ present: Describing, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    var describing = present
    guard describing.isComplete else {
      outputs.append(.setTimer(Timer.answer, after: Timing.answer))
      if describing.asksOneByOne, let index = describing.firstMissing {
        send(.describe(index: index), at: now, into: &outputs)
      }
      return
    }
    let board = LineForm.Board(describing.hello, descriptions: describing.descriptions)
    if board.isWhole {
      known = board
      for problem in board.problems { outputs.append(.log(.warning, problem)) }
      facts.append(.described(board))
      greet(board.hello.token, attempts: 1, at: now, into: &outputs)
    } else if describing.beginAgain() {
      phase = .describing(describing)
      send(.describe(index: nil), at: now, into: &outputs)
      outputs.append(.setTimer(Timer.answer, after: Timing.answer))
    } else {
      outputs.append(.log(.error, "what the board describes does not match its token"))
      listen(into: &outputs)
    }
  }

  mutating func greet(_ token: LineForm.Token, attempts: Int, at now: Duration, into outputs: inout [Output])
  {
    phase = .greeting(token, attempts: attempts)
    send(.greet(token), at: now, into: &outputs)
    outputs.append(.setTimer(Timer.answer, after: Timing.answer))
  }

  mutating func hear(
    _ token: LineForm.Token, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    phase = .heard(token)
    count = LineCount()
    tables = [:]
    ping = PingState()
    outputs.append(.cancelTimer(Timer.answer))
    outputs.append(.cancelTimer(Timer.patience))
    outputs.append(.setTimer(Timer.ping, after: quiet))
    facts.append(.greeted)
    queue.begin(into: &outputs)
    advance(at: now, into: &outputs, facts: &facts)
  }

  mutating func listen(into outputs: inout [Output]) {
    phase = .listening
    outputs.append(.cancelTimer(Timer.answer))
    if manners == .mayAsk { outputs.append(.setTimer(Timer.ask, after: Timing.question)) }
  }
}
