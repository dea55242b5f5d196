import DBus
import EventLoop

/// `org.bluez.Device1`.
extension SimulatedBoard {
  func answer(_ call: IncomingCall) {
    switch call.member {
    case "Connect": connect(call)
    case "Disconnect": disconnect(call)
    default: call.fail(.unknownMethod)
    }
  }

  private func connect(_ call: IncomingCall) {
    connectCalls += 1
    if !bluez.isPowered { return call.fail(.failed("Input/output error")) }
    if isConnected { return call.reply() }
    if connectCall != nil { return call.fail(.failed("Operation already in progress")) }
    let course = nextCourses.isEmpty ? usualCourse : nextCourses.removeFirst()
    connectCall = call
    bluez.connectsInProgress += 1
    bluez.mostConnectsAtOnce = max(bluez.mostConnectsAtOnce, bluez.connectsInProgress)
    if bluez.isDiscovering { bluez.connectsWhileScanning += 1 }
    let timing = bluez.timing
    let usual = bluez.isDiscovering && bluez.filtersStrictly ? timing.connectWhileScanning : timing.connect
    switch course {
    case .hangs: break
    case .fails(let fault): failConnect(fault)
    case _ where !isAdvertising || !isConnectable:
      after(timing.absentConnect) { $0.failConnect(.failed("le-connection-abort-by-local")) }
    case .unanswered:
      after(timing.unansweredConnect) { board in
        board.failConnect(.failed("le-connection-abort-by-local"))
        board.bluez.remove(board)
      }
    case .classicRefused:
      after(timing.connect) { $0.failConnect(.failed("br-connection-profile-unavailable")) }
    case .normal: after(usual) { $0.connected(.normal) }
    case .slow(let delay): after(delay) { $0.connected(.normal) }
    case .dropsAtOnce, .mute, .classic: after(usual) { $0.connected(course) }
    }
  }

  private func connected(_ course: ConnectCourse) {
    isConnected = true
    hasBeenConnected = true
    shownRSSI = nil
    bluez.changed(path, "org.bluez.Device1", ["Connected": .boolean(true)])
    endConnectCall()?.reply()
    let timing = bluez.timing
    switch course {
    case .dropsAtOnce: endConnection(inOneSignal: true)
    case .mute:
      after(timing.muteServices) { board in
        board.showResolved()
        board.after(timing.muteDisconnect) { $0.endConnection(inOneSignal: true) }
      }
    case .classic: after(timing.services) { $0.showResolved() }
    default:
      peripheral.connected(SimulatedLink(self))
      after(timing.services) { $0.resolve() }
    }
  }

  private func resolve() {
    if cachedServices == nil { cachedServices = peripheral.services }
    if !areServicesShown {
      areServicesShown = true
      for object in serviceObjects() { bluez.added(object.path, [object.interface: object.properties]) }
    }
    showResolved()
  }

  private func showResolved() {
    isResolved = true
    bluez.changed(path, "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
  }

  private func disconnect(_ call: IncomingCall) {
    if connectCall != nil {
      failConnect(.failed("br-connection-canceled"))
      return call.reply()
    }
    guard isConnected else { return call.fail(BlueZFault("org.bluez.Error.NotConnected", "Not Connected")) }
    after(bluez.timing.disconnect) { board in
      board.endConnection(inOneSignal: false)
      call.reply()
    }
  }

  func failConnect(_ fault: BlueZFault) {
    timer?.cancel()
    endConnectCall()?.fail(fault)
  }

  /// The call under way, answered by the caller of this if at all.
  @discardableResult
  func endConnectCall() -> IncomingCall? {
    guard let call = connectCall else { return nil }
    connectCall = nil
    bluez.connectsInProgress -= 1
    return call
  }

  /// The connection is over; the objects of the services stay, and so does who has subscribed.
  func endConnection(inOneSignal: Bool) {
    timer?.cancel()
    guard isConnected else { return }
    isConnected = false
    isResolved = false
    endNotificationDescriptor()
    for socket in writeSockets.values { socket.close() }
    writeSockets = [:]
    writingCharacteristics = []
    let gone: [String: DBusValue] = ["ServicesResolved": .boolean(false), "Connected": .boolean(false)]
    if inOneSignal {
      bluez.changed(path, "org.bluez.Device1", gone)
    } else {
      for (name, value) in gone.sorted(by: { $0.key > $1.key }) {
        bluez.changed(path, "org.bluez.Device1", [name: value])
      }
    }
    peripheral.disconnected()
  }

  /// bluetoothd forgets all about the board without a word to anybody.
  func forget() {
    timer?.cancel()
    removal?.cancel()
    endConnectCall()
    let wasConnected = isConnected
    isConnected = false
    isResolved = false
    isKnown = false
    areServicesShown = false
    shownRSSI = nil
    heardAt = nil
    endNotificationDescriptor()
    sessions = [:]
    for socket in writeSockets.values { socket.close() }
    writeSockets = [:]
    writingCharacteristics = []
    if wasConnected { peripheral.disconnected() }
  }

  func after(_ delay: Duration, _ body: @escaping @Loop (SimulatedBoard) -> Void) {
    timer?.cancel()
    timer = LoopTimer(after: delay) { [weak self] in
      if let self { body(self) }
    }
  }
}
