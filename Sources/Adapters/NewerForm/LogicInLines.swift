import DeviceModel

/// A board whose logic is the bridge's, whichever form it speaks: the older one until it has been greeted, lines from then
/// on.
///
/// The logic sends packets of the older form. In lines each becomes a command, and its answer is what tells the logic that
/// it has left. What overtakes goes before all that waits, whether or not something is unanswered.
struct LogicInLines<Logic: TranslatedLogic>: Adapter {
  var logic: Logic
  var session: LineForm.Session
  private var reader = LineForm.Reader()
  private var facts: [LineForm.Session.Fact] = []
  private(set) var description: DeviceDescription
  var isInLines = false
  private var isUp = false
  /// Packets are told apart on this link.
  var hasPackets = false
  /// What waits for the board to be greeted.
  var held: [Greeting.Held] = []
  /// Batches that the board has not answered, with the numbers of the logic's sends in them.
  private var unanswered: [(batch: UInt64, sends: [UInt64])] = []
  private var batches: UInt64 = 0
  var settings = Value.unknown

  /// Sets the logic's own batches apart from those of people, which count up from 1.
  private static var own: UInt64 { 1 << 63 }

  private struct Group {
    var commands: [Command] = []
    var sends: [UInt64] = []

    init(_ commands: [Command] = [], _ sends: [UInt64] = []) {
      self.commands = commands
      self.sends = sends
    }
  }

  init(_ logic: Logic, choice: NewerForm.Choice) {
    self.logic = logic
    session = LineForm.Session(
      choice == .lines ? .mayAsk : .listensFirst, introduction: .milliseconds(300))
    description = logic.description
  }

  mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .linkUp(.board, let maximumPacket):
      linkDown("a new link is up", at: now, into: &outputs)
      isUp = true
      hasPackets = maximumPacket != nil
      tell(.linkUp(.board, maximumPacket: maximumPacket), at: now, into: &outputs)
      session.linkUp(maximumPacket: maximumPacket, into: &outputs)
    case .linkDown(.board, let reason): linkDown(reason, at: now, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now, into: &outputs)
    case .commands(let batch): accept(batch, at: now, into: &outputs)
    case .remembered(let value): restore(value, at: now, into: &outputs)
    case .refresh where isInLines: session.refresh(at: now.uptime, into: &outputs)
    case .random(let bytes): session.takeRandom(bytes, at: now.uptime, into: &outputs)
    case .stopping:
      tell(.stopping, at: now, into: &outputs)
      if isInLines { session.stop(at: now.uptime, into: &outputs) }
    case .timerFired(let name) where LineForm.Session.Timer.all.contains(name):
      speak(at: now, into: &outputs) { session, facts, outputs in
        _ = session.timerFired(name, at: now.uptime, into: &outputs, facts: &facts)
      }
    case .timerFired(Greeting.timer): dropHeld(at: now, into: &outputs)
    default: tell(input, at: now, into: &outputs)
    }
  }

  // MARK: the link

  private mutating func linkDown(_ reason: String, at now: Moment, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    isInLines = false
    reader.reset()
    unanswered = []
    forgetHeld(into: &outputs)
    speak(at: now, into: &outputs) { session, _, outputs in session.linkDown(reason, into: &outputs) }
    tell(.linkDown(.board, reason), at: now, into: &outputs)
    for property in Logic.additions where description[property.key] != nil {
      outputs.append(.report(property.key, .unknown))
    }
  }

  private mutating func receive(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard isUp else { return }
    if !isInLines, reader.isBetweenLines, !bytes.contains(LineForm.mark) {
      return tell(.received(.board, bytes), at: now, into: &outputs)
    }
    var pieces: [LineForm.Reader.Piece] = []
    reader.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .outside(let older): if !isInLines { tell(.received(.board, older), at: now, into: &outputs) }
      case .dropped(let count, let fault):
        outputs.append(.undecodable(bytes: count, "a damaged line: \(fault.rawValue)"))
      case .line(let body):
        logic.heard(at: now.uptime)
        let wasHeard = session.isHeard
        speak(at: now, into: &outputs) { session, facts, outputs in
          session.take(body, at: now.uptime, into: &outputs, facts: &facts)
        }
        if session.isHeard {
          isInLines = true
        } else if wasHeard {
          startAnew(at: now, into: &outputs)
        }
      }
    }
  }

  /// The board has forgotten what it was doing: nothing that was wanted before is done after, and the logic begins as
  /// on a new link.
  private mutating func startAnew(at now: Moment, into outputs: inout [Output]) {
    speak(at: now, into: &outputs) { session, _, outputs in
      session.queue.failAll(Rejection(.linkError, "the board has started anew"), into: &outputs)
    }
    unanswered = []
    tell(.linkUp(.board, maximumPacket: session.maximumPacket), at: now, into: &outputs)
  }

  // MARK: the logic

  /// Tells the logic, and says in lines what it wants sent when the board listens to them.
  mutating func tell(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    var wanted: [Output] = []
    logic.handle(input, at: now, into: &wanted)
    carryOut(wanted, at: now, into: &outputs)
  }

  mutating func carryOut(_ wanted: [Output], at now: Moment, into outputs: inout [Output]) {
    var group = Group()
    for output in wanted {
      switch output {
      case .send(let send) where isBeingGreeted && send.role == .board && send.expiry != nil:
        hold(send, at: now.uptime, into: &outputs)
      case .send(let send) where isInLines && send.role == .board:
        guard let command = logic.command(for: send.bytes) else { continue }
        if send.policy == .overtaking {
          submit(group, at: now, into: &outputs)
          group = Group()
          session.queue.overtake()
          unanswered = []
          let first = outputs.count
          submit(Group([command], [send.number].compactMap(\.self)), at: now, into: &outputs)
          letOvertake(from: first, &outputs)
        } else {
          group.commands.append(command)
          if let number = send.number { group.sends.append(number) }
        }
      case .remember(let value):
        settings = value
        remember(into: &outputs)
      default: outputs.append(output)
      }
    }
    submit(group, at: now, into: &outputs)
  }

  /// What is wanted together is one batch: when the board refuses a part, the rest is not said.
  private mutating func submit(_ group: Group, at now: Moment, into outputs: inout [Output]) {
    guard !group.commands.isEmpty else { return }
    batches += 1
    unanswered.append((batches, group.sends))
    let batch = CommandBatch(number: Self.own | batches, group.commands)
    speak(at: now, into: &outputs) { session, facts, outputs in
      session.accept(batch, at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  /// A line that is half sent is broken off by this one's mark.
  private func letOvertake(from first: Int, _ outputs: inout [Output]) {
    let place = outputs.indices.dropFirst(first).first { if case .send = outputs[$0] { true } else { false } }
    guard let place, case .send(var line) = outputs[place] else { return }
    line.policy = .overtaking
    outputs[place] = .send(line)
  }

  // MARK: the board in lines

  mutating func speak(
    at now: Moment, into outputs: inout [Output],
    _ body: (inout LineForm.Session, inout [LineForm.Session.Fact], inout [Output]) -> Void
  ) {
    var facts = self.facts
    self.facts = []
    var said: [Output] = []
    body(&session, &facts, &said)
    // What the logic makes of a refusal goes after what was said before it heard of it.
    var failures: [(batch: UInt64, rejection: Rejection)] = []
    for output in said {
      if case .reject(let number, _, let rejection) = output, number & Self.own != 0 {
        failures.append((number & ~Self.own, rejection))
      } else {
        outputs.append(output)
      }
    }
    let failed = failures.map { failure in
      (unanswered.first { $0.batch == failure.batch }?.sends ?? [], failure.rejection)
    }
    unanswered.removeAll { waiting in failures.contains { $0.batch == waiting.batch } }
    for fact in facts { take(fact, at: now, into: &outputs) }
    facts.removeAll(keepingCapacity: true)
    self.facts = facts
    for (sends, rejection) in failed {
      // A board that does not answer, or that answers no more, may have heard.
      let mayHaveArrived = [.timeout, .linkError].contains(rejection.reason)
      for send in sends {
        tell(
          .notSent(send, rejection.explanation, mayHaveArrived: mayHaveArrived), at: now, into: &outputs)
      }
    }
    sendHeld(at: now, into: &outputs)
  }

  private mutating func take(
    _ fact: LineForm.Session.Fact, at now: Moment, into outputs: inout [Output]
  ) {
    switch fact {
    case .described:
      describe(into: &outputs)
      remember(into: &outputs)
    case .greeted:
      isInLines = true
      describe(into: &outputs)
      for property in Logic.additions where description[property.key] != nil {
        outputs.append(.report(property.key, .unknown))
      }
    case .value(let index, let bare):
      guard let entity = session.known?.entities[index], let key = PropertyKey(entity.key) else { return }
      let value = entity.value(bare) ?? .unknown
      if Logic.additions.contains(where: { $0.key == key }), description[key] != nil {
        outputs.append(.report(key, value))
      }
      var wanted: [Output] = []
      logic.take(key, value, at: now, into: &wanted)
      carryOut(wanted, at: now, into: &outputs)
    case .idle:
      let sends = unanswered.flatMap(\.sends)
      unanswered = []
      for send in sends { tell(.sent(send), at: now, into: &outputs) }
    case .table, .event, .complete: break
    }
  }

  mutating func describe(into outputs: inout [Output]) {
    var new = logic.description
    if let board = session.known?.description {
      new.softwareVersion = board.softwareVersion
      for var addition in Logic.additions {
        guard let own = board[addition.key] else { continue }
        // The words are the board's.
        if case .select = addition.kind, case .select = own.kind { addition.kind = own.kind }
        new.properties.append(addition)
      }
    }
    guard new != description else { return }
    description = new
    outputs.append(.describe(new))
  }
}
