import DeviceModel

extension GarageDoor {
  mutating func answer(_ request: KindRequest, at now: Moment, into outputs: inout [Output]) {
    guard settings.masterPIN != nil else {
      let rejection = Rejection(.unsupported, "the options of this garage door have no master_pin")
      return outputs.append(.answer(request.number, .failure(rejection)))
    }
    if let end = management.lockOut.end(at: now.wall) {
      let rejection = Rejection(.lockedOut, "too many wrong requests: none is taken until \(end.iso8601)")
      return outputs.append(.answer(request.number, .failure(rejection)))
    }
    do throws(Rejection) {
      let task = try PINTask(request, persons: residents)
      guard opening == nil else { throw Rejection(.busy, "the door is being opened") }
      guard isUp else { throw Rejection(.away, "the board is not connected") }
      try management.append(task)
    } catch {
      return refuse(request.number, error, at: now, into: &outputs)
    }
    guard management.tasks.count == 1 else { return }
    start(at: now, into: &outputs)
  }

  private mutating func start(at now: Moment, into outputs: inout [Output]) {
    if newer == nil { ask(into: &outputs) } else { awaitPlaces(at: now, into: &outputs) }
  }

  /// A wrong request counts; one that came at a wrong time does not.
  mutating func refuse(
    _ number: UInt64, _ rejection: Rejection, at now: Moment, into outputs: inout [Output]
  ) {
    outputs.append(.answer(number, .failure(rejection)))
    guard rejection.reason == .invalid, management.lockOut.wrong(at: now.wall),
      let end = management.lockOut.until
    else { return }
    outputs.append(
      .log(.warning, "\(LockOut.most) wrong requests about PINs: none is taken until \(end.iso8601)"))
    outputs.append(.event(GarageProperty.Event.lockedOut, Value.Members([("until", .text(end.iso8601))])))
  }

  /// Has the board tell its PINs.
  private mutating func ask(into outputs: inout [Output]) {
    guard let master = settings.masterPIN, management.current != nil else { return }
    management.current?.table = PINTable()
    outputs.append(.cancelTimer(Timer.linger))
    outputs.append(.send(Output.Send(PINTask.read(master), policy: .expires(Timing.expiry))))
    outputs.append(.setTimer(Timer.management, after: PINTask.Timing.answer))
  }

  mutating func receive(_ bytes: [UInt8], at now: Moment, into outputs: inout [Output]) {
    guard var task = management.current, task.phase == .reading || task.phase == .verifying else {
      return outputs.append(
        .undecodable(bytes: bytes.count, "said by the garage's board without being asked"))
    }
    let behind = task.table.receive(bytes)
    if behind > 0 { outputs.append(.undecodable(bytes: behind, "behind the end of the board's PINs")) }
    management.current = task
    if task.table.isOverrun {
      finish(
        .failure(Rejection(.linkError, "the board tells more PINs than there can be")), at: now,
        into: &outputs)
    } else if task.table.isComplete {
      outputs.append(.alive)
      outputs.append(.cancelTimer(Timer.management))
      let settings = settings
      management.look { place in task.table.pins[place].map { settings.mark(of: $0, at: place) } }
      if task.phase == .reading {
        act(task, at: now, into: &outputs)
      } else {
        judge(task, at: now, into: &outputs)
      }
    } else {
      outputs.append(.setTimer(Timer.management, after: PINTask.Timing.answer))
    }
  }

  /// The table is known: the request is carried out, or refused.
  private mutating func act(_ asked: PINTask, at now: Moment, into outputs: inout [Output]) {
    var task = asked
    do throws(Rejection) {
      let place = try management.index(of: task, residents, in: task.table)
      switch task.action {
      case .list:
        management.lockOut.right()
        return finish(.success(management.list(task.table, residents)), at: now, into: &outputs)
      case .add(let pin):
        guard place == nil else {
          throw Rejection(.invalid, "this name has a PIN already: it can be changed or deleted")
        }
        try refuseTaken(pin, in: task.table, exceptAt: nil)
      case .change(let pin):
        let place = try Self.checked(place)
        task.index = place
        try refuseTaken(pin, in: task.table, exceptAt: place)
        expect(
          pin, at: place, for: task.name,
          before: task.table.pins[place].map { settings.mark(of: $0, at: place) })
      case .delete: task.index = try Self.checked(place)
      }
    } catch {
      refuse(task.number, error, at: now, into: &outputs)
      return next(at: now, into: &outputs)
    }
    management.lockOut.right()
    guard let master = settings.masterPIN, let write = task.write(master) else {
      return finish(.failure(Rejection(.invalid, "nothing to be sent")), at: now, into: &outputs)
    }
    task.before = task.table.pins
    task.phase = .settling
    management.current = task
    outputs.append(.send(Output.Send(write, policy: .expires(Timing.expiry))))
    outputs.append(.setTimer(Timer.management, after: PINTask.Timing.settling))
  }

  /// Whether the change that is sent now is made may remain unknown: either PIN is the name's from now on.
  mutating func expect(_ pin: GaragePIN, at place: Int, for name: String, before mark: String?) {
    management.name(
      name, as: NamedPIN(place: place, mark: mark, coming: settings.mark(of: pin, at: place)))
  }

  private func refuseTaken(_ pin: GaragePIN, in table: PINTable, exceptAt place: Int?) throws(Rejection) {
    let isTaken = table.pins.contains { $0.value == pin && $0.key != place }
    if isTaken || pin == settings.masterPIN { throw Rejection(.invalid, "this PIN is taken") }
  }

  /// The master PIN's place is never written to.
  static func checked(_ place: Int?) throws(Rejection) -> Int {
    guard let place else { throw Rejection(.invalid, "the board has no PIN of this name") }
    guard place > 0 else { throw Rejection(.unsupported, "the board counts this PIN as its master PIN") }
    return place
  }

  /// The change was sent and the table read again.
  private mutating func judge(_ task: PINTask, at now: Moment, into outputs: inout [Output]) {
    let outcome = task.outcome(task.table.pins)
    if let stray = outcome.strays.first, let master = settings.masterPIN {
      outputs.append(
        .log(.error, "the board changed another PIN than the one meant: it counts them otherwise"))
      // One of somebody else's, taken away by mistake, is given back.
      outputs.append(
        .send(Output.Send(master.bytes + [UInt8(ascii: "A")] + stray.bytes, policy: .expires(Timing.expiry))))
      management.current?.phase = .repairing
      return outputs.append(.setTimer(Timer.management, after: PINTask.Timing.settling))
    }
    guard outcome.isDone else {
      return finish(
        .failure(Rejection(.timeout, "sent, but the board did not do it: is there room?")), at: now,
        into: &outputs)
    }
    succeed(task, at: outcome.index, now, into: &outputs)
  }

  /// The change was made, in this place.
  mutating func succeed(_ task: PINTask, at place: Int?, _ now: Moment, into outputs: inout [Output]) {
    var facts = Value.Members([("name", .text(task.name))])
    switch task.action {
    case .list, .delete: management.name(task.name, as: nil)
    case .add(let pin), .change(let pin):
      management.name(task.name, as: place.map { NamedPIN(place: $0, mark: settings.mark(of: pin, at: $0)) })
      facts["index"] = place.map { .integer($0) } ?? .unknown
    }
    adopt(task, into: &outputs)
    finish(.success(.object(facts)), at: now, into: &outputs)
  }

  /// A person's PIN is another one from now on; the configuration does not know it.
  private mutating func adopt(_ task: PINTask, into outputs: inout [Output]) {
    guard case .change(let pin) = task.action,
      let person = residents.firstIndex(where: { $0.settings.name == task.name }),
      residents[person].pin != pin
    else { return }
    residents[person].pin = pin
    if residents[person].settings.pin != pin {
      outputs.append(
        .log(
          .warning, "\(task.name) has another PIN now: put it into the configuration before the next restart")
      )
    }
  }

  mutating func managementOverdue(at now: Moment, into outputs: inout [Output]) {
    switch management.current?.phase {
    case nil, .sealed?: return
    case .reading? where newer != nil: placesOverdue(at: now, into: &outputs)
    case .reading?:
      let words =
        "the board did not tell its PINs within \(PINTask.Timing.answer.configurationText): is master_pin right?"
      finish(.failure(Rejection(.timeout, words)), at: now, into: &outputs)
    case .settling?:
      management.current?.phase = .verifying
      ask(into: &outputs)
    case .verifying?:
      let words =
        "sent, but the board does not tell its PINs any more: whether the change was made is not known"
      finish(.failure(Rejection(.timeout, words)), at: now, into: &outputs)
    case .repairing?:
      let words =
        "the board changed another PIN than the one meant, which has been given back: it counts them otherwise"
      finish(.failure(Rejection(.linkError, words)), at: now, into: &outputs)
    }
  }

  mutating func finish(
    _ result: Result<Value, Rejection>, at now: Moment, into outputs: inout [Output]
  ) {
    guard let task = management.current else { return }
    outputs.append(.answer(task.number, result))
    next(at: now, into: &outputs)
  }

  mutating func next(at now: Moment, into outputs: inout [Output]) {
    outputs.append(.cancelTimer(Timer.management))
    management.current = nil
    guard management.isIdle else { return start(at: now, into: &outputs) }
    // An arrival may have waited.
    if newer != nil { authorize(at: now, into: &outputs) }
    lingerIfIdle(into: &outputs)
  }
}
