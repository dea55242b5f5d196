import DeviceModel
import EventLoop

extension DeviceRuntime {
  var now: Moment { .now }

  /// An input that arises while another is handled waits its turn.
  func feed(_ input: Input, at now: Moment = .now) {
    guard !isFeeding else {
      inputs.append(input)
      return
    }
    isFeeding = true
    handle(input, at: now)
    while !inputs.isEmpty { handle(inputs.removeFirst(), at: .now) }
    isFeeding = false
  }

  private func handle(_ input: Input, at now: Moment) {
    capture?.record(.input(input))
    var outputs = self.outputs
    self.outputs = []
    adapter.handle(input, at: now, into: &outputs)
    for output in outputs { perform(output, at: now) }
    outputs.removeAll(keepingCapacity: true)
    self.outputs = outputs
  }

  private func perform(_ output: Output, at now: Moment) {
    switch output {
    case .send(let send): self.send(send)
    case .report(let key, let value):
      if state.report(key, value, at: now) { publishAtTurnEnd() } else { scheduleRelease(at: now) }
    case .event(let type, let facts): publishEvent(type, facts)
    case .publish(let subtopic, let bytes): publishStream(bytes, on: subtopic)
    case .alive: lives(at: now)
    case .undecodable(let bytes, let why):
      primary?.countUndecodable(bytes)
      if undecodableLog.happens(at: now.uptime) {
        log.warning("\(id): \(bytes) bytes passed over: \(why)\(undecodableLog.suppressedText)")
      }
    case .connect(let role): connect(role)
    case .sessionFinished(let role): link(role)?.sessionFinished()
    case .reconnect(let role, let pause): link(role)?.reconnect(after: pause)
    case .sessionFailed(let role, let why): link(role)?.sessionFailed(why)
    case .setTimer(let name, let delay):
      cancelTimer(name)
      timers[name] = LoopTimer(after: delay) { [weak self] in self?.timerFired(name) }
    case .setTimerWhenKept(let name):
      cancelTimer(name)
      awaitDisk(name)
    case .cancelTimer(let name): cancelTimer(name)
    case .reject(_, let property, let rejection): owner?.device(self, .commandFailed(property, rejection))
    case .describe(let description): describe(description)
    case .remember(let value): owner?.device(self, .remember(value))
    case .wantRandom(let count): feed(.random(random(count)))
    case .answer(let number, let result): owner?.device(self, .answered(number, result))
    case .log(let level, let text): log.write(level, "\(id): \(text)")
    }
  }

  private func cancelTimer(_ name: Input.TimerName) {
    timers.removeValue(forKey: name)?.cancel()
    diskTimers[name] = nil
  }

  private func timerFired(_ name: Input.TimerName) {
    cancelTimer(name)
    feed(.timerFired(name))
  }

  private func awaitDisk(_ name: Input.TimerName) {
    createdDiskTimers += 1
    let number = createdDiskTimers
    diskTimers[name] = number
    owner?.device(
      self,
      .whenKept { [weak self] in
        if let self, diskTimers[name] == number { timerFired(name) }
      })
  }

  private func send(_ send: Output.Send) {
    capture?.record(.sent(send.role, send.bytes))
    if let link = link(send.role) {
      link.send(send)
    } else if let number = send.number {
      feed(.notSent(number, "no link '\(send.role)' is configured"))
    }
  }

  private func connect(_ role: LinkRole) {
    guard let link = link(role) else { return feed(.linkDown(role, "no such link is configured")) }
    guard !link.isUp else { return }
    awaited.insert(role)
    link.wanted()
  }

  /// Of a device with several links it is the primary one that decides whether it is there.
  private func lives(at now: Moment) {
    lastSeen = now.wall
    hasSpoken = true
    if links.count < 2 || primary?.isUp == true { setAvailable(true) }
    if setup.showsLastSeen, lastSeenPublish.happens(at: now.uptime) { publishAtTurnEnd() }
  }

  /// From the kernel, `getrandom`.
  private func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let most = Output.mostRandomBytes
    if count > most { log.error("\(id): \(count) random bytes wanted; it gets the \(most) that it may have") }
    return (0..<max(0, min(count, most))).map { _ in generator.next() }
  }

  private func link(_ role: LinkRole) -> LinkRuntime? { links.first { $0.role == role } }

  private func describe(_ description: DeviceDescription) {
    let old = state.description
    guard old != description else { return }
    state.describe(description)
    if setup.output.hasValues {
      for property in old.properties where property.hasState && description[property.key]?.hasState != true {
        publisher.retained(topics.value(id, property.key), rank: .state).remove()
      }
    }
    publishAtTurnEnd()
    owner?.device(self, .descriptionChanged)
  }
}
