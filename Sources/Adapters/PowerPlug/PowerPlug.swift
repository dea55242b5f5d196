public import DeviceModel

/// The Wi-Fi power plug with its table of activations, as the classic boards speak.
///
/// A session reads the board's `S` and its table, carries out what is asked, reads back what it wrote, and ends. In a
/// session that is held the table is asked for again every ten seconds. Nothing is reported that the board did not
/// say: a switching is confirmed by the board's own `S`, for which the link is made anew when none comes.
public struct PowerPlug: Adapter {
  public var description: DeviceDescription { PlugProperty.description }

  var decoder: PlugDecoder
  var session: PlugSession?
  /// Asked for and not begun.
  var batches: [PlugBatch] = []
  var check: SwitchCheck?

  /// What the board last said.
  var status: PlugStatus?
  var table: [PlugSlot]?
  var offByHand = SwitchOrder.OffByHand.untried
  var watch = StartWatch()
  var findings = StartWatch.Findings()
  /// The bytes of a table with slots that are no activations: believed when they come twice.
  var doubtful: [UInt8]?
  /// What is remembered of the board.
  var kept = PlugFacts()
  /// The last session failed for want of a table: a greeting alone is no sign of life until there is one.
  var lacksTable = false

  /// - Parameter slots: How many activations the board's table has room for, 1 to 255; nil learns it.
  public init(slots: Int? = nil) {
    decoder = PlugDecoder(slots: slots)
  }

  /// Batches that may wait; a session takes one after the other.
  static let mostBatches = 16

  enum Timing {
    /// For the board's first `S`.
    static let greeting = Duration.seconds(1)
    /// Between two writes.
    static let pause = Duration.milliseconds(100)
    /// For the first byte of a table.
    static let answer = Duration.seconds(5)
    /// For all of it from then on.
    static let wholeTable = Duration.seconds(10)
    /// For an `S` after a switching, in the same session.
    static let confirmation = Duration.milliseconds(300)
    /// Before the link is made anew.
    static let reconnect = Duration.milliseconds(200)
    /// For an `S` in the next session.
    static let nextSession = Duration.seconds(15)
    /// For how long a table counts as just read.
    static let freshness = Duration.seconds(2)
    /// Between two looks in a session that is held.
    static let poll = Duration.seconds(10)
    /// After which a session that is held is begun anew, because `S` comes for sure only then.
    static let heldSession = Duration.seconds(60)
    /// Between two looks at the clock when no switching is near.
    static let farthestChange = Duration.seconds(3600)
  }

  enum Timer {
    static let greeting = "greeting"
    static let pause = "pause"
    static let answer = "answer"
    static let silence = "silence"
    static let confirmation = "confirmation"
    static let nextSession = "next_session"
    static let poll = "poll"
    static let change = "change"

    static let ofSession = [greeting, pause, answer, silence, confirmation, poll]
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .linkUp(.board, _):
      end("a new link is up", into: &outputs)
      decoder.reset()
      session = PlugSession(at: now.uptime)
      outputs.append(.setTimer(Timer.greeting, after: Timing.greeting))
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .received(.board, let bytes): receive(bytes, at: now, into: &outputs)
    case .commands(let batch): accept(batch, into: &outputs)
    case .refresh: refresh(into: &outputs)
    case .timerFired(let name): timerFired(name, at: now, into: &outputs)
    case .remembered(let value): recall(value)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a power plug takes no raw bytes")))
    default: break
    }
    advance(at: now, into: &outputs)
    keepFacts(into: &outputs)
  }

  private mutating func accept(_ batch: CommandBatch, into outputs: inout [Output]) {
    guard let session, !session.isOver else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    guard batches.count < Self.mostBatches else {
      let text = "\(batches.count) commands wait already"
      return outputs.append(.reject(batch.number, nil, Rejection(.busy, text)))
    }
    do throws(PlugBatch.Refusal) {
      batches.append(try PlugBatch(batch))
    } catch {
      outputs.append(.reject(batch.number, error.property, error.rejection))
    }
  }

  /// A session that has not ended yet is a look anew already.
  private mutating func refresh(into outputs: inout [Output]) {
    guard let session, session.isFinished, !session.isOver else { return }
    if session.volunteersStatus { self.session?.readAnew() } else { beginAnew(into: &outputs) }
  }

  private mutating func timerFired(_ name: String, at now: Moment, into outputs: inout [Output]) {
    switch name {
    case Timer.greeting: session?.isGreeting = false
    case Timer.silence:
      var frames: [PlugFrame] = []
      decoder.settle(into: &frames)
      take(frames, at: now, into: &outputs)
    case Timer.answer: answerOverdue(at: now, into: &outputs)
    case Timer.confirmation:
      guard session?.isOver == false, session?.awaitsStatus == true, check != nil else { return }
      beginAnew(into: &outputs)
    case Timer.nextSession:
      guard let unconfirmed = check, unconfirmed.isInNextSession else { return }
      check = nil
      reject(unconfirmed, Rejection(.timeout, "switched, but the board did not confirm it"), into: &outputs)
    case Timer.poll: poll(at: now, into: &outputs)
    case Timer.change: report(at: now, into: &outputs)
    default: break
    }
  }

  private mutating func poll(at now: Moment, into outputs: inout [Output]) {
    guard let session, session.isFinished, !session.isOver else { return }
    if now.uptime - session.beganAt >= Timing.heldSession, !session.volunteersStatus {
      beginAnew(into: &outputs)
    } else {
      self.session?.readAnew()
    }
  }

  /// The board says `S` for sure only at the beginning of a session.
  private mutating func beginAnew(into outputs: inout [Output]) {
    session?.isOver = true
    if check != nil {
      check?.isInNextSession = true
      outputs.append(.setTimer(Timer.nextSession, after: Timing.nextSession))
    }
    outputs.append(.reconnect(.board, after: Timing.reconnect))
  }

  private mutating func answerOverdue(at now: Moment, into outputs: inout [Output]) {
    guard session?.awaitsTable == true else { return }
    if decoder.isInTable {
      var frames: [PlugFrame] = []
      decoder.settle(into: &frames)
      take(frames, at: now, into: &outputs)
    } else {
      lacksTable = true
      fail("the board did not send its table when asked", into: &outputs)
    }
  }

  mutating func fail(_ reason: String, into outputs: inout [Output]) {
    guard session?.isOver == false else { return }
    session?.isOver = true
    session?.hasFailed = true
    outputs.append(.sessionFailed(.board, reason))
  }

  /// The link is gone: what was asked for and not carried out is refused, so that it is not done later.
  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    guard let session else { return }
    let rejection =
      session.hasFailed
      ? Rejection(.timeout, "the board does not answer")
      : Rejection(.linkError, "the link to the board ended: \(reason)")
    if let number = session.job?.batch { outputs.append(.reject(number, PlugProperty.schedule, rejection)) }
    if let unconfirmed = check, !unconfirmed.isInNextSession {
      check = nil
      reject(unconfirmed, rejection, into: &outputs)
    }
    for batch in batches { outputs.append(.reject(batch.number, nil, rejection)) }
    batches.removeAll()
    for timer in Timer.ofSession { outputs.append(.cancelTimer(timer)) }
    self.session = nil
  }

  func reject(_ check: SwitchCheck, _ rejection: Rejection, into outputs: inout [Output]) {
    guard let number = check.batch else { return outputs.append(.log(.warning, rejection.explanation)) }
    let property = check.plan.isOn == nil ? PlugProperty.mode : PlugProperty.power
    outputs.append(.reject(number, property, rejection))
  }
}
