import DeviceModel

extension LineForm {
  /// The bridge's side of the talk with one board: introduction, greeting, values, commands.
  ///
  /// Writes nothing before it has read a hello on the present link, unless ``Manners`` allow the board to be asked.
  /// Appends what is to be sent and which timers are to run; what the board has told comes out as facts.
  struct Session: Sendable {
    /// The board as it is known; kept between links.
    var known: Board?
    var phase = Phase.down
    let manners: Manners
    let introduction: Duration

    var maximumPacket: Int?
    /// The board was offered an identity on this link.
    var hasOfferedIdentity = false
    private var hasReportedVersion = false
    /// When something was last sent.
    var sentAt = Duration.zero
    var ping = PingState()
    var count = LineCount()
    var queue = CommandQueue()
    /// By index.
    var tables: [Int: LineForm.Table] = [:]

    /// Whether the board may be asked who it is before it has said anything.
    enum Manners: Hashable, Sendable {
      case listensFirst
      /// It is known to speak the line form: its advertisement or its owner says so.
      case mayAsk
    }

    enum Phase: Hashable, Sendable {
      case down
      case listening
      /// Random bytes for an identity are awaited, then the board's new hello.
      case identifying(Hello)
      case describing(Describing)
      case greeting(Token, attempts: Int)
      case heard(Token)
    }

    /// What the board has told.
    enum Fact: Hashable, Sendable {
      /// It is this from now on.
      case described(Board)
      /// Values follow; until then all are unknown.
      case greeted
      case value(index: Int, BareValue)
      /// A table is this, or not known any more.
      case table(index: Int, Value)
      case event(index: Int, type: Int)
      /// All values were told.
      case complete
      /// All that was asked of it is done, or has failed.
      case idle
    }

    enum Timing {
      /// For a line that has to come next.
      static let answer = Duration.seconds(2)
      /// How often something is said before it has failed.
      static let attempts = 3
      /// Without anything sent, to a board that is heard; a third of its patience where that is shorter.
      static let quiet = Duration.seconds(15)
      /// For any line after a ping; likewise.
      static let pong = Duration.seconds(5)
      /// Between two requests for all values because lines were lost.
      static let repetition = Duration.seconds(10)
      /// For a board to introduce itself before it is asked; one that restarts when opened takes two seconds.
      static let introduction = Duration.seconds(3)
      /// Between two such questions.
      static let question = Duration.seconds(16)
      /// A command waits so long for the board to be greeted.
      static let patience = Duration.seconds(10)
    }

    enum Timer {
      static let answer = "line_answer"
      static let ask = "line_ask"
      static let ping = "line_ping"
      static let command = "line_command"
      static let patience = "line_patience"

      static let all = [answer, ask, ping, command, patience]
    }

    /// - Parameter introduction: What a board that may be asked is given to say by itself who it is.
    init(_ manners: Manners = .listensFirst, introduction: Duration = Timing.introduction) {
      self.manners = manners
      self.introduction = introduction
    }

    /// The board has said hello on this link.
    var hasBeenIntroduced: Bool {
      switch phase {
      case .down, .listening: false
      case .identifying, .describing, .greeting, .heard: true
      }
    }

    var isHeard: Bool {
      if case .heard = phase { return true }
      return false
    }
  }
}

extension LineForm.Session {
  mutating func linkUp(maximumPacket: Int?, into outputs: inout [Output]) {
    phase = .listening
    self.maximumPacket = maximumPacket
    hasOfferedIdentity = false
    hasReportedVersion = false
    if manners == .mayAsk { outputs.append(.setTimer(Timer.ask, after: introduction)) }
  }

  mutating func linkDown(_ reason: String, into outputs: inout [Output]) {
    guard phase != .down else { return }
    phase = .down
    for timer in Timer.all { outputs.append(.cancelTimer(timer)) }
    queue.failAll(Rejection(.linkError, "the link to the board ended: \(reason)"), into: &outputs)
  }

  /// The bridge leaves: a board that hears it is told.
  mutating func stop(at now: Duration, into outputs: inout [Output]) {
    if isHeard { send(.goodbye, at: now, into: &outputs) }
  }

  /// All values anew.
  mutating func refresh(at now: Duration, into outputs: inout [Output]) {
    if isHeard { send(.repeat, at: now, into: &outputs) }
  }

  /// The body of a line whose checksum was right. False when it means nothing.
  @discardableResult
  mutating func take(
    _ body: [UInt8], at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) -> Bool {
    guard phase != .down else { return false }
    ping.isAnswered()
    if case .describing(var describing) = phase, let index = LineForm.index(ofDescription: body) {
      let isNew = describing.take(body, index: index)
      phase = .describing(describing)
      if isNew { describe(describing, at: now, into: &outputs, facts: &facts) }
      return true
    }
    do throws(LineForm.Malformation) {
      let line = try LineForm.BoardLine(body)
      if !line.isPong { count.received() }
      take(line, at: now, into: &outputs, facts: &facts)
      if line.isPong { count.received() }
      return true
    } catch {
      if isHeard { count.received() }
      switch error {
      case .unknownLetter: break
      case .version:
        if !hasReportedVersion { outputs.append(.log(.error, error.description)) }
        hasReportedVersion = true
      case .notUTF8, .malformed: outputs.append(.undecodable(bytes: body.count + 6, error.description))
      }
      return false
    }
  }

  private mutating func take(
    _ line: LineForm.BoardLine, at now: Duration, into outputs: inout [Output], facts: inout [Fact]
  ) {
    switch line {
    case .hello(let hello): take(hello, at: now, into: &outputs, facts: &facts)
    case .greeting(let token):
      guard case .greeting(let wanted, _) = phase, wanted == token else { return }
      hear(token, at: now, into: &outputs, facts: &facts)
    case .description: break
    case .value(let index, let value):
      guard isHeard else { return }
      outputs.append(.alive)
      if let entity = known?.entities[index], entity.kind == .table {
        facts += take(value, of: entity)
      } else {
        facts.append(.value(index: index, value))
      }
    case .event(let index, let type):
      guard isHeard else { return }
      outputs.append(.alive)
      facts.append(.event(index: index, type: type))
    case .accepted(let sequence):
      guard isHeard, queue.isAwaited(sequence) else { return }
      outputs.append(.alive)
      queue.accepted()
      advance(at: now, into: &outputs, facts: &facts)
    case .refused(let sequence, let refusal, let words):
      guard isHeard, queue.isAwaited(sequence) else { return }
      outputs.append(.alive)
      queue.refused(refusal, words: words, into: &outputs)
      advance(at: now, into: &outputs, facts: &facts)
    case .pong(let lines, let dropped, let lostEvents):
      guard isHeard else { return }
      outputs.append(.alive)
      for words in count.losses(dropped: dropped, lostEvents: lostEvents) {
        outputs.append(.log(.warning, words))
      }
      if count.isRepetitionDue(boardSent: lines, at: now) {
        send(.repeat, at: now, into: &outputs)
      } else {
        facts.append(.complete)
      }
    }
  }

  private mutating func take(_ value: LineForm.BareValue, of entity: LineForm.Entity) -> [Fact] {
    switch value {
    case .unknown: tables[entity.index] = nil
    case .row(let place, let row):
      var table = tables[entity.index] ?? LineForm.Table(places: entity.rows ?? 0)
      guard table.set(row, at: place) else { return [.value(index: entity.index, value)] }
      tables[entity.index] = table
    case .number, .text: return [.value(index: entity.index, value)]
    }
    return [.table(index: entity.index, tables[entity.index]?.value ?? .unknown)]
  }

  /// A line is cut by what the link takes.
  mutating func send(_ line: LineForm.BridgeLine, at now: Duration, into outputs: inout [Output]) {
    sentAt = now
    let bytes = line.bytes
    let size = max(maximumPacket ?? bytes.count, 1)
    for start in stride(from: 0, to: bytes.count, by: size) {
      outputs.append(.send(Output.Send(Array(bytes[start..<min(start + size, bytes.count)]))))
    }
  }
}

extension LineForm {
  /// The index that a description begins with, whether or not the rest of it can be used.
  static func index(ofDescription body: [UInt8]) -> Int? {
    guard body.first == UInt8(ascii: "d") else { return nil }
    return small(fields(body.dropFirst())[0], digits: 2, limit: mostEntities - 1)
  }
}

extension LineForm.BoardLine {
  var isPong: Bool {
    if case .pong = self { return true }
    return false
  }
}
