import CMosquitto
import EventLoop

/// How a connection comes and goes.
extension MQTTClient: MosquittoOwner {
  /// Begins to connect. Nothing happens when it has begun already.
  public func start() {
    guard case .stopped = state, !settings.servers.isEmpty else { return }
    connect()
  }

  func mosquitto(_ handle: MosquittoHandle, _ event: MosquittoEvent) {
    guard handle === self.handle else { return forget(handle, after: event) }
    switch event {
    case .answered(let answer): answered(answer)
    case .closed(let end): closed(end)
    case .published(let id, let reason): finished(id, reason: reason)
    case .received(let message): received(message)
    case .oversized(let topic, let bytes): oversized(bytes, on: topic)
    case .subscribed(let id, let granted): subscribed(id, granted: granted)
    }
  }

  private func connect() {
    let index = plan.server
    let server = settings.servers[index]
    let deadline = LoopTimer(after: settings.connectDeadline) { [weak self] in self?.deadlinePassed() }
    state = .connecting(deadline)
    refusal = nil
    isLeavingForAnotherVersion = false
    version = versions.version(for: index)
    // Its thread is still in the connect call, which a second one would only repeat.
    if let slow = slowAttempts.removeValue(forKey: index) {
      return replaceHandle(with: slow, usesTLS: server.usesTLS)
    }
    do throws(SettingsProblem) {
      let handle = try readyHandle(usesTLS: server.usesTLS)
      handle.setVersion(version)
      let keepAlive = min(max(settings.keepAlive.components.seconds, 5), 65_535)
      handle.connect(to: server, version: version, keepAlive: Int32(keepAlive))
    } catch {
      ended(error.reason)
    }
  }

  private func answered(_ answer: MosquittoAnswer) {
    let server = plan.server
    guard answer.code == 0 else {
      refusal = Refusal(connack: answer.code, version: version)
      return
    }
    if versions.accepted(version, by: server) {
      isLeavingForAnotherVersion = true
      handle?.disconnect()
      return
    }
    if case .connecting(let deadline) = state { deadline.cancel() }
    let now = MonotonicTime.now
    state = .connected
    connectedSince = now
    lostAt = nil
    plan.connected(at: now)
    pendingSubscriptions = [:]
    refusedSubscriptions.forget()
    refusedPublishes.forget()
    for subscription in subscriptions { request(subscription) }
    let session = MQTTSession(
      server: settings.servers[server], version: version, reconnects: counters.reconnects,
      keepsRetained: answer.keepsRetained)
    counters.reconnects += 1
    handler?.mqttConnected(session)
  }

  private func closed(_ end: MosquittoEnd) {
    let server = plan.server
    switch state {
    case .connecting:
      takeOver.failed()
      if let refusal {
        if refusal == .unsupportedProtocolVersion, versions.refused(version, by: server) {
          return retryAtOnce()
        }
        return ended(.refused(refusal))
      }
      if isLeavingForAnotherVersion {
        isLeavingForAnotherVersion = false
        return retryAtOnce()
      }
      if end.isRemoteClose, versions.unanswered(version, by: server) { return retryAtOnce() }
      ended(end.reasonOfFailure)
    case .connected:
      ended(reasonOfLoss(end))
    case .leaving, .waiting, .stopped:
      stopping?.closed()
    }
  }

  private func retryAtOnce() {
    if case .connecting(let deadline) = state { deadline.cancel() }
    // Not from within the callback that brought us here.
    state = .waiting(LoopTimer(after: .zero) { [weak self] in self?.connect() })
  }

  private func deadlinePassed() {
    guard let handle else { return }
    takeOver.failed()
    if handle.hasSocket {
      handle.owner = nil
      handle.abort()
      handle.owner = self
    } else {
      slowAttempts[plan.server] = handle
      loseHandle()
    }
    ended(.connectTimedOut)
  }

  /// An attempt that was given up has ended after all.
  private func forget(_ handle: MosquittoHandle, after event: MosquittoEvent) {
    if case .closed = event, let slow = slowAttempts.first(where: { $0.value === handle }) {
      slowAttempts[slow.key] = nil
    }
    if case .answered = event { handle.abort() }
  }

  /// The attempt or the connection is over; the next one is due.
  private func ended(_ reason: DisconnectReason) {
    if case .connecting(let deadline) = state { deadline.cancel() }
    let now = MonotonicTime.now
    if connectedSince != nil { lostAt = now }
    connectedSince = nil
    counters.lastError = reason.description
    counters.dropped += outstanding.connectionEnded()
    counters.queued = outstanding.total
    isFull = false
    let pause = plan.ended(at: now, random: Double.random(in: 0..<1))
    state = .waiting(LoopTimer(after: pause) { [weak self] in self?.connect() })
    handler?.mqttDisconnected(reason, retry: pause)
  }

  private func reasonOfLoss(_ end: MosquittoEnd) -> DisconnectReason {
    let age = connectedSince.map { $0.duration(to: MonotonicTime.now) }
    if end.code == Int32(Refusal.sessionTakenOver.code) { return .takenOver(clientID: settings.clientID) }
    guard let age, end.isClean else {
      takeOver.failed()
      return end.reasonOfLoss
    }
    return takeOver.closed(by: plan.server, age: age).map {
      .takenOverPresumably(clientID: settings.clientID, times: $0)
    } ?? end.reasonOfLoss
  }
}
