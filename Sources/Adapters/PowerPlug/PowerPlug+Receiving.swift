import DeviceModel

extension PowerPlug {
  mutating func receive(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard session != nil else { return }
    var frames: [PlugFrame] = []
    let wasInTable = decoder.isInTable
    decoder.receive(bytes, into: &frames)
    take(frames, at: now, into: &outputs)
    guard decoder.isInTable else { return }
    outputs.append(.setTimer(Timer.silence, after: decoder.silence))
    if !wasInTable { outputs.append(.setTimer(Timer.answer, after: Timing.wholeTable)) }
  }

  mutating func take(_ frames: [PlugFrame], at now: Moment, into outputs: inout [Output]) {
    for frame in frames where session != nil {
      switch frame {
      case .status(let status): take(status, at: now, into: &outputs)
      case .table(let bytes): takeTable(bytes, at: now, into: &outputs)
      case .brokenTable(let count, let reason):
        outputs.append(.undecodable(bytes: count, reason))
        outputs.append(.cancelTimer(Timer.silence))
        tableIsBroken(reason, into: &outputs)
      case .noise(let count):
        outputs.append(.undecodable(bytes: count, "neither a status nor a table"))
      case .excess(let count):
        outputs.append(.undecodable(bytes: count, "bytes behind the table: has the board more slots?"))
        if session?.hadExcess == false, !decoder.isConfigured {
          session?.hadExcess = true
          session?.tableReadAt = nil
        }
      }
    }
  }

  private mutating func take(_ status: PlugStatus, at now: Moment, into outputs: inout [Output]) {
    if !lacksTable { outputs.append(.alive) }
    if session?.isGreeting == true { outputs.append(.cancelTimer(Timer.greeting)) }
    if session?.hasStatus == true { session?.volunteersStatus = true }
    session?.isGreeting = false
    session?.hasSpoken = true
    session?.hasStatus = true
    self.status = status
    report(at: now, into: &outputs)
    judge(status, into: &outputs)
  }

  /// Holds the board's word against what was switched.
  private mutating func judge(_ status: PlugStatus, into outputs: inout [Output]) {
    guard let check else { return }
    let isMet = check.plan.isMet(by: status)
    // In the session of the switching an `S` that differs may have been on its way before.
    guard isMet || check.isInNextSession else { return }
    if let offByHand = check.offByHand(status) { self.offByHand = offByHand }
    self.check = nil
    outputs.append(.cancelTimer(check.isInNextSession ? Timer.nextSession : Timer.confirmation))
    guard !isMet else { return }
    let (property, rejection) = check.rejection(status)
    if let number = check.batch {
      outputs.append(.reject(number, property, rejection))
    } else {
      outputs.append(.log(.warning, rejection.explanation))
    }
    if check.plan.isManual == false, check.fallback, !status.isOn {
      begin(SwitchOrder.Plan(states: [1], isOn: true), batch: nil, fallback: false)
    }
  }

  private mutating func takeTable(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    outputs.append(.cancelTimer(Timer.answer))
    outputs.append(.cancelTimer(Timer.silence))
    session?.awaitsTable = false
    let table = PlugSlot.table(bytes)
    if let reason = Self.unreadable(in: table), doubtful != bytes {
      doubtful = bytes
      outputs.append(.undecodable(bytes: bytes.count, reason))
      return tableIsBroken(reason, into: &outputs)
    }
    lacksTable = false
    outputs.append(.alive)
    session?.hasSpoken = true
    session?.isGreeting = false
    session?.hasBrokenTable = false
    session?.tableReadAt = now.uptime
    self.table = table
    readBack(table, into: &outputs)
    look(at: table, now: now, into: &outputs)
    report(at: now, into: &outputs)
  }

  private static func unreadable(in table: [PlugSlot]) -> String? {
    for (index, slot) in table.enumerated() {
      if case .unreadable(let error) = slot { return "slot \(index): \(error)" }
    }
    return nil
  }

  /// Once more is asked for the table; then the last good one stays.
  private mutating func tableIsBroken(_ reason: String, into outputs: inout [Output]) {
    outputs.append(.cancelTimer(Timer.answer))
    session?.awaitsTable = false
    guard session?.hasBrokenTable == true else {
      session?.hasBrokenTable = true
      if session?.outbox.contains(.askTable) == false { session?.outbox.append(.askTable) }
      return
    }
    session?.hasNoTable = true
    session?.outbox.removeAll { $0 == .askTable }
    if let job = session?.job {
      session?.job = nil
      let rejection = Rejection(.linkError, "written, but the table could not be read back: \(reason)")
      refuse(job, rejection, into: &outputs)
    }
    if session?.hasSpoken != true { fail("the board's table cannot be read: \(reason)", into: &outputs) }
  }

  /// Holds a table against what was written.
  private mutating func readBack(_ table: [PlugSlot], into outputs: inout [Output]) {
    guard var job = session?.job else { return }
    let missing = job.missing(in: table)
    for (slot, activation) in job.wanted where missing[slot] == nil { watch.believe(activation, in: slot) }
    guard !missing.isEmpty else {
      session?.job = nil
      return
    }
    job.wanted = missing
    if job.hasRetried {
      session?.job = nil
      let slots = missing.keys.sorted().map(String.init).joined(separator: ", ")
      refuse(
        job, Rejection(.timeout, "written twice, but not kept by the board: slot \(slots)"), into: &outputs)
    } else {
      job.hasRetried = true
      begin(job)
    }
  }

  private func refuse(
    _ job: PlugSession.TableJob, _ rejection: Rejection, into outputs: inout [Output]
  ) {
    guard let number = job.batch else { return outputs.append(.log(.warning, rejection.explanation)) }
    outputs.append(.reject(number, PlugProperty.schedule, rejection))
  }

  private mutating func look(at table: [PlugSlot], now: Moment, into outputs: inout [Output]) {
    let before = findings
    findings = watch.look(at: table, isAutomatic: status?.isManual == false, now: now)
    for (slot, activation) in findings.repairs.sorted(by: { $0.key < $1.key })
    where before.repairs[slot] != activation {
      let start = Timestamp(seconds: activation.startSeconds).iso8601
      outputs.append(
        .log(.warning, "the board moved '\(activation.name)' to a wrong start; it is put back to \(start)"))
    }
    if !findings.unmoved.isEmpty, before.unmoved != findings.unmoved {
      let names = findings.unmoved.map { "'\($0)'" }.joined(separator: ", ")
      outputs.append(
        .log(.warning, "the board does not move \(names) on though the cycle is over: its clock is wrong"))
    }
  }
}
