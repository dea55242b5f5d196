import DBus
public import EventLoop

/// The serial port of one board over Bluetooth LE.
///
/// Closed at first. Once open it connects, and again after each loss, with growing pauses, until it is closed.
/// Nothing is ever written to a board but what ``send(_:completion:)`` is given.
@Loop public final class BluetoothUART {
  public enum Event: Sendable {
    /// Notifications are on and packets of up to `maximumPacket` bytes can be sent.
    case up(maximumPacket: Int)
    /// An attempt failed or the connection ended; unless closed, the next attempt comes by itself.
    case down(BlueZError)
  }

  public let board: BoardSelector
  public let service: UARTService

  /// Each notification, once. Called from the descriptor's handler, without a task or a hop.
  public var onReceive: @Loop ([UInt8]) -> Void = { _ in }
  /// Never called from within a call of the owner's.
  public var onStateChange: @Loop (Event) -> Void = { _ in }

  /// False leaves notifications with bluetoothd as long as it delivers by a descriptor; true again with each
  /// connection.
  public var isReading = true {
    didSet { channel?.isReading = isReading }
  }

  public private(set) var isOpen = false
  /// The reason of the last ``Event/down(_:)`` since ``open()``.
  public private(set) var lastFailure: BlueZError?
  /// Connections that came up.
  public private(set) var connections = 0

  enum Phase { case closed, waiting, connecting, resolving, subscribing, up, leaving }

  private(set) var phase = Phase.closed
  /// The board's object once known; set by the central alone.
  var device: ObjectPath?
  let number: ConnectScheduler.Board
  private let central: BluetoothCentral
  private var channel: UARTChannel?
  private var connectCall: PendingReply?
  private var timer: LoopTimer?
  private var began = MonotonicTime.now
  private var upSince: MonotonicTime?
  /// The failure to count when the board has left; nil when it leaves because we closed.
  private var leavingBecause: BlueZError?
  private var hasReceived = false
  private var hasRemoved = false
  /// Connections that ended with the descriptor, young and silent.
  private var suspiciousEnds = 0
  private var usesDescriptor = true

  init(_ board: BoardSelector, _ service: UARTService, number: Int, central: BluetoothCentral) {
    self.board = board
    self.service = service
    self.number = number
    self.central = central
  }

  public var isUp: Bool { phase == .up }

  /// Why there is no connection; nil when there is one.
  public var obstacle: BlueZError? {
    if isUp { return nil }
    return central.status.problem ?? lastFailure ?? .notSeen
  }

  // MARK: The owner's calls

  public func open() {
    guard !isOpen else { return }
    isOpen = true
    lastFailure = nil
    if phase == .closed { enroll() }
  }

  /// Ends the connection or the attempt. Nothing is delivered after it returns.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    switch phase {
    case .closed, .leaving: break
    case .waiting: retire()
    case .connecting, .resolving, .subscribing, .up:
      tearDown(.stopped)
      leave(because: nil)
    }
    leavingBecause = nil
  }

  /// Sends one packet of at most the size that ``Event/up(maximumPacket:)`` told.
  ///
  /// - Parameter completion: Called once: with success when the system or, where the board answers writes, the
  ///   board took it; before this returns when that is known at once.
  public func send(_ packet: [UInt8], completion: @escaping @Loop (Result<Void, BlueZError>) -> Void) {
    guard isOpen, phase == .up, let channel else { return completion(.failure(.notConnected)) }
    channel.send(packet, completion: completion)
  }

  // MARK: What the central tells

  /// Whether the properties of a `Device1` are those of the board.
  func isMeant(by properties: [String: DBusValue]) -> Bool {
    switch board {
    case .address(let address): properties["Address"]?.string?.uppercased() == address.uppercased()
    case .name(let name): properties["Name"]?.string == name
    }
  }

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

  /// BlueZ shows the board connected.
  func linkAppeared() {
    guard phase == .waiting, isOpen else { return }
    began = .now
    established()
  }

  func servicesResolved() {
    if phase == .resolving { subscribe() }
  }

  /// BlueZ shows the board disconnected.
  func linkVanished() {
    switch phase {
    case .closed, .waiting, .connecting: break
    case .resolving, .subscribing, .up: fail(.dropped)
    case .leaving: hasLeft()
    }
  }

  /// BlueZ has removed the board's object.
  func deviceRemoved() {
    device = nil
    switch phase {
    case .closed, .waiting: break
    case .connecting, .resolving, .subscribing, .up: fail(.boardRemoved)
    case .leaving: hasLeft()
    }
  }

  /// The adapter, bluetoothd or the bus is gone.
  func unplugged(_ reason: BlueZError) {
    guard phase != .closed else { return }
    tearDown(reason)
    leavingBecause = nil
    phase = .waiting
    if isOpen { tell(reason) } else { retire() }
  }

  func announced(_ bytes: [UInt8], by characteristic: ObjectPath) {
    if let channel {
      if channel.notifyPath == characteristic { channel.announced(bytes) }
    } else if phase == .connecting || phase == .resolving, early.count < 64 {
      early.append((characteristic, bytes))
    }
  }

  /// Notified before the services were known: bluetoothd subscribes again by itself after a reconnection.
  private var early: [(ObjectPath, [UInt8])] = []

  // MARK: From waiting to up

  private func enroll() {
    phase = .waiting
    central.enroll(self)
  }

  private func retire() {
    phase = .closed
    central.retire(self)
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

  private func established() {
    phase = .resolving
    central.linkEstablished(self)
    setTimer(central.settings.timing.services) { $0.fail(.boardMute) }
    if let device, central.property(device, "ServicesResolved")?.boolean == true { subscribe() }
  }

  private func subscribe() {
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
    for (path, bytes) in early where path == characteristics.notify { channel.announced(bytes) }
    early = []
    channel.start(byDescriptor: usesDescriptor)
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

  // MARK: Ends

  /// Either the connection ended, which BlueZ announces within a moment, or this board's notifications do not
  /// work by descriptor.
  private func notificationsEnded() {
    guard phase == .up else { return }
    setTimer(central.settings.timing.disconnectGrace) { uart in
      guard uart.phase == .up else { return }
      uart.usesDescriptor = false
      uart.isEndPending = false
      uart.channel?.startNotify(attempt: 1)
    }
    isEndPending = true
  }

  private var isEndPending = false

  private func judgeEnd() {
    guard isEndPending, let upSince, usesDescriptor else { return }
    let isSuspicious = !hasReceived && upSince.duration(to: .now) < .seconds(2)
    suspiciousEnds = isSuspicious ? suspiciousEnds + 1 : 0
    if suspiciousEnds >= 2 { usesDescriptor = false }
  }

  /// The attempt or the connection is over, against our will.
  private func fail(_ error: BlueZError) {
    judgeEnd()
    let wasConnecting = connectCall != nil
    tearDown(error)
    if device != nil, wasConnecting || isLinked {
      leave(because: error)
    } else {
      concludeFailure()
    }
    tell(error)
  }

  private func leave(because error: BlueZError?) {
    leavingBecause = error
    phase = .leaving
    guard let device, let peer = central.peer else { return hasLeft() }
    setTimer(central.settings.timing.disconnect) { $0.hasLeft() }
    peer.call(device, Interface.device, "Disconnect") { [weak self] _ in
      guard let self, self.phase == .leaving, !self.isLinked else { return }
      self.hasLeft()
    }
  }

  private func hasLeft() {
    guard phase == .leaving else { return }
    timer?.cancel()
    if leavingBecause != nil { return concludeFailure() }
    central.scheduler.left(number)
    phase = .waiting
    finish()
  }

  private func concludeFailure() {
    phase = .waiting
    let wasUp = upSince != nil
    let isExpected = leavingBecause == .staleServices(paired: false)
    leavingBecause = nil
    if isExpected {
      central.scheduler.left(number)
    } else {
      let lasted = (upSince ?? began).duration(to: .now)
      central.scheduler.failed(
        number, after: lasted, wasUp: wasUp, at: .now, random: .random(in: 0..<1))
    }
    finish()
  }

  private func finish() {
    upSince = nil
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

  private func tearDown(_ reason: BlueZError) {
    timer?.cancel()
    let call = connectCall
    connectCall = nil
    call?.cancel()
    early = []
    isEndPending = false
    let channel = channel
    self.channel = nil
    channel?.end(reason)
  }

  private var isLinked: Bool {
    device.flatMap { central.property($0, "Connected")?.boolean } ?? false
  }

  /// Reports a failure at the end of the turn.
  func tell(_ error: BlueZError) {
    lastFailure = error
    Loop.atTurnEnd {
      if self.isOpen { self.onStateChange(.down(error)) }
    }
  }

  private func setTimer(_ delay: Duration, _ body: @escaping @Loop (BluetoothUART) -> Void) {
    timer?.cancel()
    timer = LoopTimer(after: delay) { [weak self] in
      if let self { body(self) }
    }
  }
}
