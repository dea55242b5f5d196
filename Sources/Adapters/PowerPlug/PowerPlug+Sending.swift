import DeviceModel

extension PowerPlug {
  /// Does what comes next, until the board has to answer or time has to pass.
  mutating func advance(at now: Moment, into outputs: inout [Output]) {
    while let session, !session.isOver {
      if !session.outbox.isEmpty {
        guard send(at: now, into: &outputs) else { return }
        continue
      }
      guard !session.isGreeting, !session.awaitsTable else { return }
      if let batch = batches.first {
        if session.hasNoTable || (batch.edits.isEmpty ? session.hasSpoken : isFresh(at: now)) {
          batches.removeFirst()
          begin(batch, at: now, into: &outputs)
        } else {
          self.session?.outbox.append(.askTable)
        }
      } else if check?.isInNextSession == false {
        // Should a new session be needed to see the effect, that one reads the table.
        return awaitStatus(into: &outputs)
      } else if session.tableReadAt == nil, !session.hasNoTable {
        self.session?.outbox.append(.askTable)
      } else if !session.hasRepaired, !session.hasNoTable, !findings.repairs.isEmpty {
        self.session?.hasRepaired = true
        begin(PlugSession.TableJob(batch: nil, wanted: findings.repairs.mapValues { $0 }))
      } else {
        return finish(into: &outputs)
      }
    }
  }

  /// Sends the next write unless it is too early for it.
  private mutating func send(at now: Moment, into outputs: inout [Output]) -> Bool {
    guard let session, let write = session.outbox.first, !session.awaitsTable else { return false }
    guard now.uptime >= session.nextWriteAt else {
      outputs.append(.setTimer(Timer.pause, after: session.nextWriteAt - now.uptime))
      return false
    }
    self.session?.outbox.removeFirst()
    self.session?.nextWriteAt = now.uptime + Timing.pause
    self.session?.isFinished = false
    self.session?.awaitsStatus = false
    outputs.append(.send(Output.Send(write.bytes)))
    if write == .askTable {
      self.session?.awaitsTable = true
      decoder.expectTable()
      outputs.append(.setTimer(Timer.answer, after: Timing.answer))
    }
    return true
  }

  private func isFresh(at now: Moment) -> Bool {
    guard let readAt = session?.tableReadAt else { return false }
    return now.uptime - readAt <= Timing.freshness
  }

  /// Plans all of a batch before anything of it is sent.
  private mutating func begin(_ batch: PlugBatch, at now: Moment, into outputs: inout [Output]) {
    do throws(PlugBatch.Refusal) {
      let plan = try switching(for: batch.order, at: now)
      let wanted = try slots(after: batch.edits)
      if !plan.states.isEmpty {
        begin(plan, batch: batch.number, fallback: batch.order.isOn ?? status?.isOn ?? false)
      }
      if !wanted.isEmpty { begin(PlugSession.TableJob(batch: batch.number, wanted: wanted)) }
    } catch {
      outputs.append(.reject(batch.number, error.property, error.rejection))
    }
  }

  private func switching(
    for order: SwitchOrder, at now: Moment
  ) throws(PlugBatch.Refusal) -> SwitchOrder.Plan {
    let running = table.flatMap { PlugSchedule($0).running(at: now.wall.seconds)?.name }
    do throws(Rejection) {
      return try order.plan(status: status, offByHand: offByHand, running: running)
    } catch {
      let property = order.isManual == nil ? PlugProperty.power : PlugProperty.mode
      throw PlugBatch.Refusal(property: property, rejection: error)
    }
  }

  /// The slots that differ from the table as it was read.
  private func slots(after edits: [ScheduleEdit]) throws(PlugBatch.Refusal) -> [Int: Activation?] {
    guard !edits.isEmpty else { return [:] }
    do throws(Rejection) {
      guard session?.hasNoTable == false, let table else {
        throw Rejection(.linkError, "the board's table cannot be read")
      }
      var result = table
      for edit in edits { result = try edit.applied(to: result) }
      var wanted: [Int: Activation?] = [:]
      for (slot, place) in result.enumerated() where place != table[slot] {
        wanted.updateValue(place.activation, forKey: slot)
      }
      return wanted
    } catch {
      throw PlugBatch.Refusal(property: PlugProperty.schedule, rejection: error)
    }
  }

  mutating func begin(_ job: PlugSession.TableJob) {
    session?.job = job
    session?.outbox.append(contentsOf: job.writes)
    session?.outbox.append(.askTable)
    session?.tableReadAt = nil
  }

  /// A switching takes the place of an earlier one that is not confirmed yet: that one is no longer wanted.
  mutating func begin(_ plan: SwitchOrder.Plan, batch: UInt64?, fallback: Bool) {
    check = SwitchCheck(
      batch: batch, plan: plan, fallback: fallback, hadGreeting: session?.hasStatus == true)
    session?.outbox.append(contentsOf: plan.states.map { .state($0) })
  }

  private mutating func awaitStatus(into outputs: inout [Output]) {
    guard session?.awaitsStatus == false else { return }
    session?.awaitsStatus = true
    outputs.append(.setTimer(Timer.confirmation, after: Timing.confirmation))
  }

  private mutating func finish(into outputs: inout [Output]) {
    guard session?.isFinished == false else { return }
    if let check, check.isInNextSession {
      self.check = nil
      outputs.append(.cancelTimer(Timer.nextSession))
      reject(check, Rejection(.timeout, "switched, but the board does not say its state"), into: &outputs)
    }
    session?.isFinished = true
    outputs.append(.sessionFinished(.board))
    outputs.append(.setTimer(Timer.poll, after: Timing.poll))
  }
}
