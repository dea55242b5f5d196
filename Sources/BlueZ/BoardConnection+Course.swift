import DBus
import EventLoop

/// One connection: from the scheduler's word to the end.
extension BoardConnection {
  /// The scheduler's turn has come.
  func connect() {
    guard phase == .waiting, let device, let peer = central.peer, central.isKnown(device) else {
      return central.scheduler.left(number)
    }
    phase = .connecting
    began = .now
    let limit = central.settings.timing.connect
    setTimer(limit) { $0.fail(.connectionTimedOut(seconds: Int(limit.components.seconds))) }
    // The deadline is ours; BlueZ sends no answer at all when the board is removed meanwhile.
    connectCall = peer.call(device, Interface.device, "Connect", deadline: .seconds(120)) {
      [weak self] result in
      self?.connectAnswered(result)
    }
  }

  private func connectAnswered(_ result: Result<[DBusValue], BlueZError>) {
    // A call that was given up says so before anybody else looks at it.
    guard connectCall != nil, phase == .connecting else { return }
    connectCall = nil
    switch result {
    case .success: established()
    case .failure(let error): fail(central.named(error))
    }
  }

  func established() {
    phase = .resolving
    central.linkEstablished(self)
    setTimer(central.settings.timing.services) { $0.fail(.boardMute) }
    if let device, central.property(device, "ServicesResolved")?.boolean == true { prepare() }
  }

  func prepare() {
    guard let device, let peer = central.peer else { return }
    phase = .preparing
    setTimer(central.settings.timing.subscription) { $0.fail(.noAnswer) }
    use?.prepare(device, with: peer)
  }

  /// The list of services is empty: the wrong radio was taken, or the board does not answer.
  func servicesMissing() {
    fail(device.map(central.isClassic) == true ? .connectedOverBREDR : .boardMute)
  }

  /// The services that BlueZ lists are not those that the board must have: they are asked for anew with the next
  /// connection, unless the board is paired.
  ///
  /// - Returns: whether BlueZ was made to forget them.
  @discardableResult
  func forgetServices() -> Bool {
    guard let device else { return false }
    let isPaired = central.property(device, "Paired")?.boolean == true
    if !isPaired { central.removeDevice(device) }
    fail(.staleServices(paired: isPaired))
    return !isPaired
  }

  // MARK: Ends

  /// The attempt or the connection is over, against our will.
  func fail(_ error: BlueZError) {
    let wasConnecting = connectCall != nil
    tearDown(error, hasFailed: true)
    if upSince != nil { tell(error) }
    if device != nil, wasConnecting || isLinked {
      leave(because: error)
    } else {
      conclude(error)
    }
  }

  /// Parts from the board; the scheduler hears of it when BlueZ shows the board disconnected.
  func leave(because error: BlueZError?) {
    leavingBecause = error
    phase = .leaving
    guard let device, let peer = central.peer else { return hasLeft() }
    setTimer(central.settings.timing.disconnect) { $0.hasLeft() }
    peer.call(device, Interface.device, "Disconnect") { [weak self] _ in
      guard let self, self.phase == .leaving, !self.isLinked else { return }
      self.hasLeft()
    }
  }

  func hasLeft() {
    guard phase == .leaving else { return }
    timer?.cancel()
    let error = leavingBecause
    leavingBecause = nil
    conclude(error)
  }

  private func conclude(_ error: BlueZError?) {
    phase = .waiting
    let wasUp = upSince != nil
    let lasted = (upSince ?? began).duration(to: .now)
    upSince = nil
    switch error {
    case nil: central.scheduler.left(number)
    case .staleServices(paired: false)?:
      // The attempt goes on as soon as the board is heard again.
      failedAttempts += 1
      lastFailure = error
      central.scheduler.left(number)
    case let error?:
      let isRetried = central.scheduler.failed(
        number, after: lasted, wasUp: wasUp, at: .now, random: .random(in: 0..<1))
      if wasUp { break }
      failedAttempts += 1
      lastFailure = error
      if !isRetried { tell(error) }
    }
    if !isOpen {
      retire()
    } else if isLinked {
      // BlueZ did not part from the board: it will not advertise, so take the connection as it is.
      setTimer(central.settings.timing.disconnect) { connection in
        if connection.isLinked { connection.linkAppeared() }
      }
    }
    central.scheduleUpdate()
  }

  func tearDown(_ reason: BlueZError, hasFailed: Bool = false) {
    timer?.cancel()
    let call = connectCall
    connectCall = nil
    call?.cancel()
    use?.end(reason, hasFailed: hasFailed)
  }

  private var isLinked: Bool {
    device.flatMap { central.property($0, "Connected")?.boolean } ?? false
  }

  private func setTimer(_ delay: Duration, _ body: @escaping @Loop (BoardConnection) -> Void) {
    timer?.cancel()
    timer = LoopTimer(after: delay) { [weak self] in
      if let self { body(self) }
    }
  }
}
