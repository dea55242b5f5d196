public import DeviceModel

/// A board that says itself what it is, in the line form: its entities are known from the board alone.
public struct SelfDescribing: Adapter {
  public var description: DeviceDescription {
    session.known?.description ?? DeviceDescription(properties: [])
  }

  private var reader = LineForm.Reader()
  private var pieces: [LineForm.Reader.Piece] = []
  private var facts: [LineForm.Session.Fact] = []
  private var session: LineForm.Session
  private var isUp = false

  /// - Parameter mayAsk: The board may be written to before it has said who it is.
  public init(mayAsk: Bool = false) {
    session = LineForm.Session(mayAsk ? .mayAsk : .listensFirst)
  }

  enum Timing {
    /// For a board to be greeted, from the link or from when it was heard last. It says who it is every 16 seconds.
    static let silence = Duration.seconds(60)
  }

  enum Timer {
    static let silence = "silence"
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .remembered(let value):
      guard let board = LineForm.Board(remembered: value) else { return }
      session.known = board
      outputs.append(.describe(board.description))
    case .linkUp(.board, let maximumPacket):
      end("a new link is up", into: &outputs)
      isUp = true
      session.linkUp(maximumPacket: maximumPacket, into: &outputs)
      outputs.append(.setTimer(Timer.silence, after: Timing.silence))
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now.uptime, into: &outputs)
    case .commands(let batch):
      session.accept(batch, at: now.uptime, into: &outputs, facts: &facts)
      takeFacts(into: &outputs)
    case .refresh: session.refresh(at: now.uptime, into: &outputs)
    case .random(let bytes): session.takeRandom(bytes, at: now.uptime, into: &outputs)
    case .stopping: session.stop(at: now.uptime, into: &outputs)
    case .timerFired(Timer.silence): silenceIsOver(into: &outputs)
    case .timerFired(let name):
      _ = session.timerFired(name, at: now.uptime, into: &outputs, facts: &facts)
      takeFacts(into: &outputs)
    case .transmit(let number, _):
      outputs.append(
        .reject(number, nil, Rejection(.unsupported, "a self-describing board takes no raw bytes")))
    default: break
    }
  }

  private mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    pieces.removeAll(keepingCapacity: true)
    reader.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .outside(let bytes): outputs.append(.undecodable(bytes: bytes.count, "no line"))
      case .dropped(let count, let fault):
        outputs.append(.undecodable(bytes: count, "a damaged line: \(fault.rawValue)"))
      case .line(let body):
        let before = session.phase
        session.take(body, at: now, into: &outputs, facts: &facts)
        awaitGreeting(since: before, into: &outputs)
        takeFacts(into: &outputs)
      }
    }
  }

  private mutating func takeFacts(into outputs: inout [Output]) {
    for fact in facts { take(fact, into: &outputs) }
    facts.removeAll(keepingCapacity: true)
  }

  private func take(_ fact: LineForm.Session.Fact, into outputs: inout [Output]) {
    switch fact {
    case .described(let board):
      outputs.append(.describe(board.description))
      outputs.append(.remember(board.remembered))
    case .greeted:
      for property in description.properties { outputs.append(.report(property.key, .unknown)) }
    case .value(let index, let bare): report(bare, of: index, into: &outputs)
    case .table(let index, let value):
      guard let key = (session.known?.entities[index]?.key).flatMap({ PropertyKey($0) }) else { return }
      outputs.append(.report(key, value))
    case .event(let index, let type):
      guard let entity = session.known?.entities[index], entity.kind == .event,
        entity.options.indices.contains(type)
      else {
        return outputs.append(.log(.warning, "the board tells an event that it has not described: \(index)"))
      }
      outputs.append(
        .event(entity.options[type], [DeviceDescription.eventSource: .text(entity.key)]))
    case .complete, .idle:
      if session.isHeard, session.queue.isIdle { outputs.append(.sessionFinished(.board)) }
    }
  }

  private func report(_ bare: LineForm.BareValue, of index: Int, into outputs: inout [Output]) {
    guard let entity = session.known?.entities[index], let key = PropertyKey(entity.key) else { return }
    if let value = entity.value(bare) {
      outputs.append(.report(key, value))
    } else {
      outputs.append(.log(.warning, "\(key) cannot be what the board says it is"))
      outputs.append(.report(key, .unknown))
    }
  }

  private func awaitGreeting(since before: LineForm.Session.Phase, into outputs: inout [Output]) {
    guard session.phase != before else { return }
    switch (before, session.phase) {
    case (_, .heard): outputs.append(.cancelTimer(Timer.silence))
    case (.heard, _): outputs.append(.setTimer(Timer.silence, after: Timing.silence))
    default: break
    }
  }

  private func silenceIsOver(into outputs: inout [Output]) {
    guard isUp, !session.isHeard else { return }
    let patience = Timing.silence.configurationText
    let words =
      session.hasBeenIntroduced ? "the board answers no greeting" : "the board has not said who it is"
    outputs.append(.sessionFailed(.board, "\(words) for \(patience)"))
  }

  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    if reader.pending > 0 {
      outputs.append(.undecodable(bytes: reader.pending, "a line was not ended when the link was"))
    }
    reader.reset()
    outputs.append(.cancelTimer(Timer.silence))
    session.linkDown(reason, into: &outputs)
  }
}
