import DeviceModel
import DBus
import EventLoop

/// One connection: from the scheduler's word to the end.
extension BluetoothUART {
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
    if let device, central.property(device, "ServicesResolved")?.boolean == true { subscribe() }
  }

  func subscribe() {
    guard let device, let peer = central.peer else { return }
    let characteristics: UARTCharacteristics
    do throws(UARTCharacteristics.Missing) {
      characteristics = try UARTCharacteristics(of: service, at: device, in: central.tree)
    } catch {
      return uartMissing(error, at: device)
    }
    hasRemoved = false
    phase = .subscribing
    setTimer(central.settings.timing.subscription) { $0.fail(.noAnswer) }
    let channel = UARTChannel(peer: peer, characteristics: characteristics) { [unowned self] in self.take($0)
    }
    self.channel = channel
    for value in early where value.characteristic == characteristics.notify { channel.announced(value.bytes) }
    early = []
    channel.start(byDescriptor: policy.usesDescriptor)
  }

  /// A list without the UART is an old one of BlueZ', the board's real one, or no list at all.
  private func uartMissing(_ missing: UARTCharacteristics.Missing, at device: ObjectPath) {
    guard case .uart(let found) = missing else {
      return fail(central.isClassic(device) ? .connectedOverBREDR : .boardMute)
    }
    if hasRemoved { return fail(.uartMissing(wanted: service.service, found: found)) }
    let isPaired = central.property(device, "Paired")?.boolean == true
    if !isPaired {
      hasRemoved = true
      central.removeDevice(device)
    }
    fail(.staleServices(paired: isPaired))
  }

  private func take(_ event: UARTChannel.Event) {
    switch event {
    case .received(let bytes):
      hasReceived = true
      onReceive(bytes)
    case .ready(let maximumPacket):
      timer?.cancel()
      phase = .up
      upSince = .now
      connections += 1
      hasReceived = false
      isReading = true
      onStateChange(.up(maximumPacket: maximumPacket))
    case .notificationsEnded: notificationsEnded()
    case .failed(let error): fail(error)
    }
  }

  /// Either the connection ended, which BlueZ announces within a moment, or this board's notifications do not
  /// work by descriptor.
  private func notificationsEnded() {
    guard phase == .up else { return }
    hasDescriptorEnded = true
    setTimer(central.settings.timing.disconnectGrace) { uart in
      guard uart.phase == .up else { return }
      uart.hasDescriptorEnded = false
      uart.policy.endedAlone()
      uart.channel?.startNotify(attempt: 1)
    }
  }

  // MARK: Ends

  /// The attempt or the connection is over, against our will.
  func fail(_ error: BlueZError) {
    if hasDescriptorEnded, let upSince {
      policy.endedWithConnection(after: upSince.duration(to: .now), hasReceived: hasReceived)
    }
    let wasConnecting = connectCall != nil
    tearDown(error)
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
      setTimer(central.settings.timing.disconnect) { uart in
        if uart.isLinked { uart.linkAppeared() }
      }
    }
    central.scheduleUpdate()
  }

  func tearDown(_ reason: BlueZError) {
    timer?.cancel()
    let call = connectCall
    connectCall = nil
    call?.cancel()
    early = []
    hasDescriptorEnded = false
    let channel = channel
    self.channel = nil
    channel?.end(reason)
  }

  private var isLinked: Bool {
    device.flatMap { central.property($0, "Connected")?.boolean } ?? false
  }

  private func setTimer(_ delay: Duration, _ body: @escaping @Loop (BluetoothUART) -> Void) {
    timer?.cancel()
    timer = LoopTimer(after: delay) { [weak self] in
      if let self { body(self) }
    }
  }
}
