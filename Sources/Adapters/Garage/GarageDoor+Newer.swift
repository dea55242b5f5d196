import Cryptography
import DeviceModel

/// The talk with a newer board, in lines.
extension GarageDoor {
  /// How long the door still counts as open. A board that is heard knows it.
  func presumedOpen(at now: Duration) -> Duration {
    guard let door = newer?.door else { return cycle.presumedOpen(at: now) }
    return door == .closed ? .zero : max(.seconds(1), cycle.presumedOpen(at: now))
  }

  mutating func hear(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard newer != nil else { return receive(bytes, at: now, into: &outputs) }
    var pieces: [LineForm.Reader.Piece] = []
    newer?.reader.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .line(let body):
        talk(at: now, into: &outputs) { session, outputs, facts in
          session.take(body, at: now.uptime, into: &outputs, facts: &facts)
        }
      case .dropped(let count, let fault):
        outputs.append(.undecodable(bytes: count, "a damaged line: \(fault.rawValue)"))
      case .outside(let bytes):
        outputs.append(.undecodable(bytes: bytes.count, "said by the garage's board outside of lines"))
      }
    }
  }

  mutating func newerTimerFired(_ name: String, at now: Moment, into outputs: inout [Output]) {
    guard LineForm.Session.Timer.all.contains(name) else { return }
    talk(at: now, into: &outputs) { session, outputs, facts in
      _ = session.timerFired(name, at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  mutating func pass(_ batch: CommandBatch, at now: Moment, into outputs: inout [Output]) {
    outputs.append(.cancelTimer(Timer.linger))
    talk(at: now, into: &outputs) { session, outputs, facts in
      session.accept(batch, at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  mutating func talk(
    at now: Moment, into outputs: inout [Output],
    _ body: (inout LineForm.Session, inout [Output], inout [LineForm.Session.Fact]) -> Void
  ) {
    guard var session = newer?.session else { return }
    var said: [Output] = []
    var facts: [LineForm.Session.Fact] = []
    body(&session, &said, &facts)
    newer?.session = session
    if authorizing != nil { said = said.map(\.expiring) }
    let alerts = newer?.take(facts) ?? []
    let failure = takeAnswer(of: &said)
    outputs += said
    for alert in alerts where alert == GarageProperty.Event.leftOpen {
      outputs.append(.event(alert, Value.Members()))
    }
    if facts.contains(.idle), failure == nil, authorizing != nil { newer?.isSecondAnswerVain = false }
    if failure?.reason == .invalid, awaitAnotherChallenge(at: now, into: &outputs) {
      // Said once more in a moment.
    } else if case .sealed? = management.current?.phase {
      if failure != nil || facts.contains(.idle) { changed(failure, at: now, into: &outputs) }
    } else if let failure {
      // Without an answer it is not known what the board did.
      let isCertain = failure.reason != .timeout && failure.reason != .linkError
      let doubt = isCertain ? "" : "the board may have moved the door: "
      let refusal = OpeningRefusal(reason: .linkError, explanation: doubt + failure.explanation)
      fail(refusal, isCertain: isCertain, at: now, into: &outputs)
    } else if facts.contains(.idle), case .sending(let number)? = opening?.phase {
      sent(number, at: now, into: &outputs)
    }
    reportNewer(at: now, into: &outputs)
    if opening?.phase == .greeting { authorize(at: now, into: &outputs) }
    changePINs(at: now, into: &outputs)
    if facts.contains(.complete) || facts.contains(.idle) { lingerIfIdle(into: &outputs) }
  }

  /// An opening that has failed is not said to the board once more, or for the first time.
  mutating func withdraw(at now: Moment, into outputs: inout [Output]) {
    guard newer != nil, case .sending(let number)? = opening?.phase else { return }
    newer?.session.queue.withdraw(Self.batch(number))
    opening?.phase = .unsent("withdrawn")
    talk(at: now, into: &outputs) { session, outputs, facts in
      session.advance(at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  /// The number of the authorised word that the board has not answered yet.
  private var authorizing: UInt64? {
    if case .sealed(let number)? = management.current?.phase { return number }
    if case .sending(let number)? = opening?.phase { return number }
    return nil
  }

  /// What the board answered to that word, if it refused; taken out of the outputs.
  func takeAnswer(of outputs: inout [Output]) -> Rejection? {
    guard let number = authorizing else { return nil }
    let place = outputs.firstIndex {
      if case .reject(Self.batch(number), _, _) = $0 { true } else { false }
    }
    guard let place, case .reject(_, _, let rejection) = outputs.remove(at: place) else { return nil }
    return rejection
  }

  /// No batch of the bridge's own has such a number.
  private static func batch(_ number: UInt64) -> UInt64 { .max - number }

  private mutating func reportNewer(at now: Moment, into outputs: inout [Output]) {
    guard let newer, newer.isComplete else { return }
    if let seconds = newer.number(GarageProperty.closingInterval) {
      // What no board waits for would keep the door shut, or count an open one as closed.
      let range = GarageProperty.closingRange
      if (range.minimum...range.maximum).contains(seconds) { cycle.closingInterval = .seconds(seconds) }
      outputs.append(.report(GarageProperty.closingInterval, .number(seconds)))
    }
    if let light = newer.number(GarageProperty.light) {
      outputs.append(.report(GarageProperty.light, .boolean(light != 0)))
    }
    reportDoor(at: now, into: &outputs)
  }

  /// The board has told its challenge and where the door is.
  mutating func authorize(at now: Moment, into outputs: inout [Output]) {
    guard let opening, opening.phase == .greeting, newer?.challenge != nil else { return }
    if case .sealed? = management.current?.phase { return }
    guard opening.isClosing || newer?.door == .closed else { return findOpen(at: now, into: &outputs) }
    preparePulse(at: now, into: &outputs)
  }

  /// The board makes a new challenge after a while: an answer that was on its way then is wrong, and nothing was done. It
  /// is given once more, to the new one. False for what was refused for the second time, or has another cause.
  private mutating func awaitAnotherChallenge(at now: Moment, into outputs: inout [Output]) -> Bool {
    let isOfPINs = if case .sealed? = management.current?.phase { true } else { false }
    let isSecond = (isOfPINs ? management.current?.isSecondAnswer : opening?.isSecondAnswer) ?? true
    guard newer?.isSecondAnswerVain == false, !isSecond else {
      if isSecond { newer?.isSecondAnswerVain = true }
      return false
    }
    newer?.spendChallenge()
    if isOfPINs {
      management.current?.phase = .reading
      management.current?.isSecondAnswer = true
      outputs.append(.setTimer(Timer.management, after: Timing.renewal))
      return true
    }
    guard let opening, case .sending = opening.phase else { return false }
    if let before = opening.cycleBefore { cycle = before }
    self.opening?.phase = .greeting
    self.opening?.isSecondAnswer = true
    outputs.append(
      .setTimer(Timer.opening, after: max(.zero, min(Timing.renewal, opening.deadline - now.uptime))))
    return true
  }

  /// Answers the board's challenge with what is wanted of it.
  mutating func sendAuthorized(_ opening: Opening, at now: Moment, into outputs: inout [Output]) {
    guard let challenge = newer?.challenge, let key = settings.key else {
      let refusal = OpeningRefusal(reason: .linkError, explanation: "the board tells no challenge")
      return fail(refusal, isCertain: true, at: now, into: &outputs)
    }
    let word: String
    do throws(CryptographyError) {
      word = try GarageAuthentication.word(
        opening.isClosing ? .close : .open, challenge: challenge, pin: residents[opening.person].pin, key: key
      )
    } catch {
      let refusal = OpeningRefusal(reason: .linkError, explanation: "\(error)")
      return fail(refusal, isCertain: true, at: now, into: &outputs)
    }
    authorize(word, at: now, into: &outputs)
  }

  /// Tells the board the answer to its challenge, under the number of ``sends``.
  mutating func authorize(_ word: String, at now: Moment, into outputs: inout [Output]) {
    newer?.spendChallenge()
    let batch = CommandBatch(
      number: Self.batch(sends), [Command(NewerGarage.Key.authorize, .text(word))])
    talk(at: now, into: &outputs) { session, outputs, facts in
      session.accept(batch, at: now.uptime, into: &outputs, facts: &facts)
    }
  }

  /// The board says that the door is not closed: who arrived is in, and nothing is sent.
  private mutating func findOpen(at now: Moment, into outputs: inout [Output]) {
    guard let opening else { return }
    guard newer?.door != nil else {
      let refusal = OpeningRefusal(
        reason: .linkError, explanation: "the board does not tell where the door is")
      return fail(refusal, isCertain: true, at: now, into: &outputs)
    }
    self.opening = nil
    outputs.append(.cancelTimer(Timer.opening))
    if case .command(let batch) = opening.origin {
      let words = "the board says that the door is \(newer?.door?.rawValue ?? "in no known state")"
      let refusal = OpeningRefusal(reason: .presumedOpen, explanation: words)
      refuse(refusal, person: opening.person, source: opening.source, into: &outputs)
      outputs.append(.reject(batch, GarageProperty.door, refusal.rejection))
    }
    for arrival in opening.arrivals where !arrival.hasLeft {
      residents[arrival.person].turnedAway = (arrival.time, now.uptime)
    }
    letIn(at: now.uptime, into: &outputs)
    lingerIfIdle(into: &outputs)
  }
}

extension Output {
  /// What is sent is dropped when it could not leave in time.
  fileprivate var expiring: Output {
    guard case .send(var send) = self, send.policy == .keep else { return self }
    send.policy = .expires(GarageDoor.Timing.expiry)
    return .send(send)
  }
}
