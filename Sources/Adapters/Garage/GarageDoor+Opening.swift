import DeviceModel

extension GarageDoor {
  /// Nil when the door may be opened now.
  func obstacle(at now: Moment) -> OpeningRefusal? {
    let left = presumedOpen(at: now.uptime)
    if left > .zero {
      return OpeningRefusal(
        reason: .presumedOpen,
        explanation:
          "the door may be open for another \(left.wholeSeconds) s, and a second pulse would turn it around")
    }
    return opening.map { _ in OpeningRefusal(reason: .busy, explanation: "the door is being opened") }
  }

  /// Opens the door, or fails within ten seconds.
  mutating func begin(_ opening: Opening, at now: Moment, into outputs: inout [Output]) {
    self.opening = opening
    self.opening?.deadline = now.uptime + Timing.opening
    guard !isLeaving else { return abandonOpening(at: now, into: &outputs) }
    outputs.append(.cancelTimer(Timer.linger))
    outputs.append(.setTimer(Timer.opening, after: Timing.opening))
    if isUp { sendPulse(at: now, into: &outputs) } else { outputs.append(.connect(.board)) }
  }

  /// The link is up.
  mutating func sendPulse(at now: Moment, into outputs: inout [Output]) {
    guard newer == nil else {
      opening?.phase = .greeting
      return authorize(at: now, into: &outputs)
    }
    preparePulse(at: now, into: &outputs)
  }

  /// What is known of the door is kept on disk before the pulse leaves: whoever is killed in between must not send a
  /// second.
  mutating func preparePulse(at now: Moment, into outputs: inout [Output]) {
    opening?.phase = .remembering
    opening?.cycleBefore = cycle
    if let opening, opening.isSecondAnswer {
      // It was waited for a new challenge only so long.
      outputs.append(.setTimer(Timer.opening, after: max(.zero, opening.deadline - now.uptime)))
    }
    unacknowledged = nil
    if opening?.isClosing == false { cycle.pulsed(at: now, isDoubtful: true) }
    remember(into: &outputs)
    outputs.append(.setTimerWhenKept(Timer.pulse))
  }

  mutating func pulse(at now: Moment, into outputs: inout [Output]) {
    guard let opening, opening.phase == .remembering else { return }
    sends += 1
    self.opening?.phase = .sending(sends)
    guard newer == nil else { return sendAuthorized(opening, at: now, into: &outputs) }
    let bytes = residents[opening.person].pin.bytes + Array("O=1".utf8)
    outputs.append(.send(Output.Send(bytes, policy: .expires(Timing.expiry), number: sends)))
  }

  mutating func sent(_ number: UInt64, at now: Moment, into outputs: inout [Output]) {
    if let late = unacknowledged, late.phase == .sending(number) {
      unacknowledged = nil
      cycle.confirm()
      return opened(late, at: now, into: &outputs)
    }
    guard let opening, opening.phase == .sending(number) else { return }
    self.opening = nil
    outputs.append(.cancelTimer(Timer.opening))
    guard !opening.isClosing else { return closed(opening, at: now, into: &outputs) }
    cycle.pulsed(at: now)
    for arrival in opening.arrivals where !arrival.hasLeft {
      residents[arrival.person].turnedAway = (arrival.time, now.uptime)
    }
    opened(opening, at: now, into: &outputs)
  }

  /// The board has the pulse.
  private mutating func opened(_ opening: Opening, at now: Moment, into outputs: inout [Output]) {
    lastOpenedBy = residents[opening.person].settings.name
    lastOpened = cycle.pulsedWhen
    var facts = Value.Members()
    facts["person"] = .text(residents[opening.person].settings.name)
    facts["source"] = .text(opening.source)
    outputs.append(.event(GarageProperty.Event.opened, facts))
    letIn(at: now.uptime, into: &outputs)
    reportLast(into: &outputs)
    reportDoor(at: now, into: &outputs)
    lingerIfIdle(into: &outputs)
  }

  /// The board closes the door: whoever arrived meanwhile stands before it, and opens it by arriving once more.
  private mutating func closed(_ closing: Opening, at now: Moment, into outputs: inout [Output]) {
    for arrival in closing.arrivals {
      if !arrival.hasLeft { residents[arrival.person].turnedAway = (arrival.time, now.uptime) }
      let refusal = OpeningRefusal(reason: .busy, explanation: "the door is being closed")
      refuse(refusal, person: arrival.person, source: arrival.source.rawValue, into: &outputs)
    }
    lingerIfIdle(into: &outputs)
  }

  /// The door is open: whoever stands before it is in.
  mutating func letIn(at now: Duration, into outputs: inout [Output]) {
    for index in residents.indices {
      guard let turned = residents[index].turnedAway else { continue }
      residents[index].turnedAway = nil
      guard now - turned.at <= Evidence.oldest else { continue }
      residents[index].homecoming.cameIn(at: turned.arrivedAt)
      reportArmed(index, into: &outputs)
    }
  }

  /// If the link itself ended, the pulse may have been received all the same: that shows in a moment. So it may when the
  /// board answered with an error that does not say that it has done nothing.
  mutating func notSent(
    _ number: UInt64, _ reason: String, mayHaveArrived: Bool, at now: Moment, into outputs: inout [Output]
  ) {
    guard let opening, opening.phase == .sending(number) else { return }
    guard !mayHaveArrived else {
      let left =
        opening.isClosing
        ? "" : ": it counts as open for another \(presumedOpen(at: now.uptime).wholeSeconds) s"
      let words = "the board may have moved the door\(left); it answered with an error: \(reason)"
      return fail(
        OpeningRefusal(reason: .linkError, explanation: words), isCertain: false, at: now, into: &outputs)
    }
    self.opening?.phase = .unsent(reason)
    outputs.append(.setTimer(Timer.verdict, after: Timing.verdict))
  }

  /// The link goes on without what was not sent: the board has not got it.
  mutating func openingUnsent(at now: Moment, into outputs: inout [Output]) {
    guard let opening, case .unsent(let reason) = opening.phase else { return }
    fail(
      OpeningRefusal(reason: .linkError, explanation: "not sent: \(reason)"), isCertain: true, at: now,
      into: &outputs)
  }

  mutating func endOpening(linkEnded reason: String, at now: Moment, into outputs: inout [Output]) {
    switch opening?.phase {
    case nil: return
    case .connecting?, .greeting?, .remembering?:
      fail(OpeningRefusal(reason: .away, explanation: reason), isCertain: true, at: now, into: &outputs)
    case .sending?, .unsent?:
      let words = "the link ended before the board had the command for sure: \(reason)"
      fail(OpeningRefusal(reason: .linkError, explanation: words), isCertain: false, at: now, into: &outputs)
    }
  }

  mutating func openingOverdue(at now: Moment, into outputs: inout [Output]) {
    switch opening?.phase {
    case nil: return
    case .greeting? where isUp && newer?.isComplete == true:
      let words = "the board told no new challenge in time"
      fail(OpeningRefusal(reason: .linkError, explanation: words), isCertain: true, at: now, into: &outputs)
    case .remembering?:
      let words = "the disk did not answer; nothing was sent"
      fail(OpeningRefusal(reason: .disk, explanation: words), isCertain: true, at: now, into: &outputs)
    case .connecting?, .greeting?:
      let words = "the board was not reached within \(Timing.opening.configurationText)"
      fail(OpeningRefusal(reason: .away, explanation: words), isCertain: true, at: now, into: &outputs)
    case .sending?, .unsent?:
      withdraw(at: now, into: &outputs)
      let words = "the link does not say whether the command was sent"
      fail(OpeningRefusal(reason: .linkError, explanation: words), isCertain: false, at: now, into: &outputs)
    }
  }

  /// The bridge is about to stop: what has not been sent is not sent any more.
  mutating func abandonOpening(at now: Moment, into outputs: inout [Output]) {
    switch opening?.phase {
    case .connecting?, .greeting?, .remembering?: break
    default: return
    }
    fail(
      OpeningRefusal(reason: .stopping, explanation: "the bridge is stopping"), isCertain: true, at: now,
      into: &outputs)
  }

  /// Persons stay as they were: who comes home once more opens the door. Who is let in by another meanwhile is in.
  ///
  /// - Parameter isCertain: The board has not got the pulse. Else the door counts as open for its time.
  mutating func fail(
    _ refusal: OpeningRefusal, isCertain: Bool, at now: Moment, into outputs: inout [Output]
  ) {
    guard let opening else { return }
    self.opening = nil
    if !isCertain, !opening.isClosing { unacknowledged = opening }
    outputs.append(.cancelTimer(Timer.opening))
    outputs.append(.cancelTimer(Timer.verdict))
    outputs.append(.cancelTimer(Timer.pulse))
    if isCertain, let before = opening.cycleBefore { cycle = before }
    if case .command(let batch) = opening.origin {
      refuse(refusal, person: opening.person, source: opening.source, into: &outputs)
      outputs.append(.reject(batch, GarageProperty.door, refusal.rejection))
    }
    for arrival in opening.arrivals {
      if !arrival.hasLeft { residents[arrival.person].turnedAway = (arrival.time, now.uptime) }
      refuse(refusal, person: arrival.person, source: arrival.source.rawValue, into: &outputs)
    }
    reportDoor(at: now, into: &outputs)
    lingerIfIdle(into: &outputs)
  }

  func refuse(
    _ refusal: OpeningRefusal, person: Int, source: String, into outputs: inout [Output]
  ) {
    var facts = Value.Members()
    facts["person"] = .text(residents[person].settings.name)
    facts["source"] = .text(source)
    facts["reason"] = .text(refusal.reason.rawValue)
    facts["error"] = .text(refusal.explanation)
    outputs.append(.event(GarageProperty.Event.refused, facts))
  }
}

extension Duration {
  /// Of what is left, for people; never 0.
  fileprivate var wholeSeconds: Int64 { max(1, components.seconds) }
}

extension Opening {
  var source: String {
    switch origin {
    case .command: "command"
    case .arrival(let arrival): arrival.source.rawValue
    }
  }
}
