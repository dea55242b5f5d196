import DeviceModel

/// An adapter of a board's older form, which a newer one in lines may take over from.
protocol ClassicForm: Adapter {
  /// The next byte belongs to a record that was begun, whatever byte it is.
  var isMidRecord: Bool { get }
}

/// A board of a kind whose older sketches speak bytes of their own and whose newer ones speak in lines too.
///
/// A line is told apart by its mark, its checksum and its end. What belongs to no line is the older form's, until the
/// board has said hello; from then on lines alone count, until the link goes down. Nothing in lines is written to a
/// board that has not said hello, unless its owner says that it speaks so.
struct TwoForms: Adapter {
  private var classic: any ClassicForm
  private let form: NewerForm
  private let choice: NewerForm.Choice
  private var session: LineForm.Session
  private var reader = LineForm.Reader()
  private var facts: [LineForm.Session.Fact] = []
  private(set) var description: DeviceDescription

  private var phase = Phase.down
  private var maximumPacket: Int?
  /// Commands from before it is known which form is spoken.
  private var held: [CommandBatch] = []
  private var classicMemory = Value.unknown

  private enum Phase: Hashable, Sendable {
    case down
    /// The board is asked for lines; the older form waits.
    case asking
    case classic
    case lines
  }

  enum Timing {
    /// For a hello, before the older form is spoken after all.
    static let hello = Duration.seconds(6)
    /// From its hello until it is greeted, a long description between them.
    static let greeting = Duration.seconds(30)
    /// Before it is asked for one.
    static let introduction = Duration.milliseconds(300)
  }

  enum Timer {
    static let hello = "form_hello"
  }

  static let mostHeld = 16

  init(_ classic: any ClassicForm, _ form: NewerForm, choice: NewerForm.Choice) {
    self.classic = classic
    self.form = form
    self.choice = choice
    session = LineForm.Session(choice == .lines ? .mayAsk : .listensFirst, introduction: Timing.introduction)
    description = form.classic
  }

  mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .remembered(let value): remember(value, at: now, into: &outputs)
    case .linkUp(.board, let maximumPacket): linkUp(maximumPacket, at: now, into: &outputs)
    case .linkDown(.board, let reason): linkDown(reason, at: now, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now, into: &outputs)
    case .commands(let batch): accept(batch, at: now, into: &outputs)
    case .refresh where phase == .lines: session.refresh(at: now.uptime, into: &outputs)
    case .random(let bytes) where phase == .lines:
      session.takeRandom(bytes, at: now.uptime, into: &outputs)
    case .stopping where phase == .lines: session.stop(at: now.uptime, into: &outputs)
    case .timerFired(Timer.hello): helloIsLate(at: now, into: &outputs)
    case .timerFired(let name) where LineForm.Session.Timer.all.contains(name):
      _ = session.timerFired(name, at: now.uptime, into: &outputs, facts: &facts)
      takeFacts(at: now, into: &outputs)
    case .timerFired where phase == .lines: break
    default: feed(input, at: now, into: &outputs)
    }
  }

  // MARK: the link

  private mutating func linkUp(_ maximumPacket: Int?, at now: Moment, into outputs: inout [Output]) {
    if phase != .down { linkDown("a new link is up", at: now, into: &outputs) }
    self.maximumPacket = maximumPacket
    reader.reset()
    session.linkUp(maximumPacket: maximumPacket, into: &outputs)
    guard choice == .lines else { return speakClassic(at: now, into: &outputs) }
    phase = .asking
    outputs.append(.setTimer(Timer.hello, after: Timing.hello))
  }

  private mutating func linkDown(_ reason: String, at now: Moment, into outputs: inout [Output]) {
    let wasClassic = phase == .classic
    phase = .down
    outputs.append(.cancelTimer(Timer.hello))
    reader.reset()
    session.linkDown(reason, into: &outputs)
    if wasClassic { feed(.linkDown(.board, reason), at: now, into: &outputs) }
    let rejection = Rejection(.linkError, "the link to the board ended: \(reason)")
    for batch in held { outputs.append(.reject(batch.number, batch.commands.first?.property, rejection)) }
    held = []
  }

  private mutating func speakClassic(at now: Moment, into outputs: inout [Output]) {
    phase = .classic
    // Whatever it is, it does not answer in lines.
    outputs.append(.cancelTimer(LineForm.Session.Timer.ask))
    if description != form.classic {
      description = form.classic
      session.known = nil
      outputs.append(.describe(description))
      outputs.append(.remember(memory))
    }
    feed(.linkUp(.board, maximumPacket: maximumPacket), at: now, into: &outputs)
    let batches = held
    held = []
    for batch in batches { feed(.commands(batch), at: now, into: &outputs) }
  }

  private mutating func speakInLines(at now: Moment, into outputs: inout [Output]) {
    guard phase != .lines else { return }
    if phase == .classic {
      feed(.linkDown(.board, "the board speaks in lines"), at: now, into: &outputs)
    }
    phase = .lines
    outputs.append(.setTimer(Timer.hello, after: Timing.greeting))
    let batches = held
    held = []
    for batch in batches { accept(batch, at: now, into: &outputs) }
  }

  private mutating func helloIsLate(at now: Moment, into outputs: inout [Output]) {
    switch phase {
    case .asking: speakClassic(at: now, into: &outputs)
    case .lines where !session.isHeard:
      outputs.append(.sessionFailed(.board, "the board says who it is, but is not to be greeted"))
    case .down, .classic, .lines: break
    }
  }

  // MARK: the board

  private mutating func receive(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard phase != .down else { return }
    if phase == .classic, reader.isBetweenLines, !bytes.contains(LineForm.mark) {
      return feed(.received(.board, bytes), at: now, into: &outputs)
    }
    var older: [UInt8] = []
    for byte in bytes {
      if phase == .classic, reader.isBetweenLines {
        if byte == LineForm.mark { hand(&older, at: now, into: &outputs) }
        if byte != LineForm.mark || classic.isMidRecord {
          older.append(byte)
          continue
        }
      }
      switch reader.take(byte) {
      case .line(let body):
        session.take(body, at: now.uptime, into: &outputs, facts: &facts)
        if session.hasBeenIntroduced { speakInLines(at: now, into: &outputs) }
        takeFacts(at: now, into: &outputs)
      case .dropped(let count, let fault):
        outputs.append(.undecodable(bytes: count, "a damaged line: \(fault.rawValue)"))
      case .outside, nil: break
      }
    }
    hand(&older, at: now, into: &outputs)
  }

  private mutating func hand(_ bytes: inout [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard !bytes.isEmpty else { return }
    if phase == .classic { feed(.received(.board, bytes), at: now, into: &outputs) }
    bytes.removeAll()
  }

  private mutating func takeFacts(at now: Moment, into outputs: inout [Output]) {
    for fact in facts { take(fact, at: now, into: &outputs) }
    facts.removeAll(keepingCapacity: true)
  }

  private mutating func take(
    _ fact: LineForm.Session.Fact, at now: Moment, into outputs: inout [Output]
  ) {
    switch fact {
    case .described(let board):
      outputs.append(.remember(memory))
      describe(board, into: &outputs)
    case .greeted:
      if let known = session.known { describe(known, into: &outputs) }
      for property in description.properties { outputs.append(.report(property.key, .unknown)) }
    case .value(let index, let bare):
      guard let entity = session.known?.entities[index], let key = PropertyKey(entity.key) else { return }
      if let value = entity.value(bare) {
        outputs.append(.report(key, form.translated(key, value, now)))
      } else {
        outputs.append(.log(.warning, "\(key) cannot be what the board says it is"))
        outputs.append(.report(key, .unknown))
      }
      refreshTables(at: now, into: &outputs)
    case .table(let index, let value):
      guard let entity = session.known?.entities[index], let key = PropertyKey(entity.key) else { return }
      outputs.append(.report(key, form.translated(key, value, now)))
    case .event(let index, let type):
      guard let entity = session.known?.entities[index], entity.options.indices.contains(type) else { return }
      let word = entity.options[type]
      let facts: Value.Members =
        form.eventTypes.contains(word) ? [:] : [DeviceDescription.eventSource: .text(entity.key)]
      outputs.append(.event(word, facts))
    case .complete, .idle:
      if session.isHeard, session.queue.isIdle { outputs.append(.sessionFinished(.board)) }
    }
  }

  /// What is told of a table may depend on the time.
  private func refreshTables(at now: Moment, into outputs: inout [Output]) {
    for (index, table) in session.tables {
      guard let entity = session.known?.entities[index], let key = PropertyKey(entity.key) else { continue }
      outputs.append(.report(key, form.translated(key, table.value, now)))
    }
  }

  private mutating func describe(_ board: LineForm.Board, into outputs: inout [Output]) {
    let new = form.description(of: board)
    guard new != description else { return }
    description = new
    outputs.append(.describe(new))
  }

  // MARK: the older form

  /// What the older form remembers is kept beside what is known of the newer one.
  private mutating func feed(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    let start = outputs.count
    classic.handle(input, at: now, into: &outputs)
    for index in outputs.indices[start...] {
      guard case .remember(let value) = outputs[index] else { continue }
      classicMemory = value
      outputs[index] = .remember(memory)
    }
  }

  private var memory: Value {
    session.known.map { ["lines": $0.remembered, "classic": classicMemory] } ?? classicMemory
  }

  private mutating func remember(_ value: Value, at now: Moment, into outputs: inout [Output]) {
    classicMemory = value
    if case .object(let members) = value, let lines = members["lines"] {
      classicMemory = members["classic"] ?? .unknown
      if let board = LineForm.Board(remembered: lines) {
        session.known = board
        describe(board, into: &outputs)
      }
    }
    feed(.remembered(classicMemory), at: now, into: &outputs)
  }

  // MARK: commands

  private mutating func accept(_ batch: CommandBatch, at now: Moment, into outputs: inout [Output]) {
    switch phase {
    case .down, .classic: feed(.commands(batch), at: now, into: &outputs)
    case .asking:
      guard held.count < Self.mostHeld else {
        let rejection = Rejection(.busy, "\(held.count) commands wait already")
        return outputs.append(.reject(batch.number, batch.commands.first?.property, rejection))
      }
      held.append(batch)
    case .lines:
      var prepared = batch
      for (index, command) in batch.commands.enumerated() {
        do throws(Rejection) {
          prepared.commands[index] = try form.prepared(command)
        } catch {
          return outputs.append(.reject(batch.number, command.property, error))
        }
      }
      session.accept(prepared, at: now.uptime, into: &outputs, facts: &facts)
      takeFacts(at: now, into: &outputs)
    }
  }
}
