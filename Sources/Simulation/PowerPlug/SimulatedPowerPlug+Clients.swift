import EventLoop

extension SimulatedPowerPlug {
  func accept(_ descriptor: Int32) {
    acceptedClients += 1
    let number = acceptedClients
    connection = PlugConnection(descriptor, number: number) { [weak self] in
      self?.receive($0, from: number)
    } ended: { [weak self] in
      self?.clientLeft(number)
    }
    connection?.isFrozen = faults.isHalfOpen
    updateListener()
    tell(.clientAccepted(number))
    connection?.resetsAfterBytes = faults.resetsAfterBytes
    guard connection?.number == number else { return }
    if !faults.isSilent { send(sketch.clientConnected()) }
    scheduleCheck()
  }

  private func receive(_ bytes: [UInt8], from client: Int) {
    receivedBytes += bytes.count
    tell(.bytesReceived(bytes, client: client))
    guard !faults.isSilent else { return }
    let time = clock.time()
    let before = sketch
    let reaction = sketch.receive(bytes, at: time)
    let received = reaction.commands.map { ReceivedPlugCommand(command: $0, time: time, client: client) }
    commands += received
    commands.removeFirst(max(0, commands.count - 10_000))
    for command in received { tell(.command(command)) }
    tellChanges(since: before)
    send(reaction.messages)
    scheduleCheck()
  }

  private func clientLeft(_ number: Int) {
    guard connection?.number == number else { return }
    connection = nil
    heldBack = []
    sketch.clientDisconnected(at: clock.time())
    updateListener()
    tell(.clientGone(number))
    work()
  }

  func resetClient() {
    guard let connection else { return }
    connection.reset()
    clientLeft(connection.number)
  }

  func send(_ messages: [[UInt8]]) {
    guard !faults.isSilent else { return }
    for message in messages {
      heldBack += faults.distort(message)
      if faults.gluesMessages && message.first == UInt8(ascii: "S") { continue }
      sendHeldBack()
    }
  }

  private func sendHeldBack() {
    connection?.send(
      heldBack, after: faults.answerDelay, segmentSize: faults.fragmentSize, pause: faults.fragmentDelay)
    heldBack = []
  }

  func apply(_ previous: PlugFaults) {
    guard faults != previous else { return }
    sketch.lostCommands = faults.lostCommands
    connection?.isFrozen = faults.isHalfOpen || powerCut == .unnoticed
    if !faults.gluesMessages { sendHeldBack() }
    connection?.resetsAfterBytes = faults.resetsAfterBytes
    updateListener()
  }

  func updateListener() {
    let state: LoopbackListener.State =
      switch (powerCut, faults.reachability) {
      case (.noticed, _): .closed
      case (.unnoticed, _): .unanswering
      case (.none, .refuses): .closed
      case (.none, .leavesInBacklog): .paused
      case (.none, .isUnanswered): .unanswering
      case (.none, .serves): stateWhileServing
      }
    do throws(SocketFailure) {
      try listener?.enter(state)
      listenFailure = nil
    } catch {
      listenFailure = error
    }
  }

  private var stateWhileServing: LoopbackListener.State {
    if connection != nil { return secondClient == .waits ? .paused : .closed }
    return faults.isHalfOpen ? .paused : .accepting
  }
}

extension SimulatedPowerPlug {
  /// Lets the sketch do what is due, and waits for what is due next.
  func work() {
    let before = sketch
    let messages = sketch.run(until: clock.time())
    tellChanges(since: before)
    send(messages)
    scheduleCheck()
  }

  func change(_ body: () -> Void) {
    let before = sketch
    body()
    tellChanges(since: before)
    scheduleCheck()
  }

  func scheduleCheck() {
    checkTimer?.cancel()
    checkTimer = nil
    guard listener != nil, let due = sketch.nextCheckTime, let delay = clock.realDelay(until: due)
    else { return }
    // At high speeds several checks are due within the timer's resolution; the sketch then makes them at once.
    checkTimer = LoopTimer(after: max(delay, .milliseconds(1))) { [weak self] in self?.work() }
  }

  private func tellChanges(since before: ClassicPlugSketch) {
    let now = sketch
    if now.isPowered != before.isPowered { tell(.power(isOn: now.isPowered)) }
    if now.isManual != before.isManual { tell(.mode(isManual: now.isManual)) }
    if now.isOn != before.isOn { tell(.appliance(isOn: now.isOn)) }
    if now.table != before.table { tell(.table) }
  }
}
