import DBus
public import EventLoop

/// Bluetooth LE through BlueZ: its bus, its daemon, one adapter, scanning, and the boards that are open.
///
/// Whatever of these is missing or goes away, the central waits for it, says in ``status`` what is wrong, and goes
/// on when it is back.
@Loop public final class BluetoothCentral {
  public let settings: BluetoothSettings
  public private(set) var status = BluetoothStatus()
  public var onStatusChange: @Loop (BluetoothStatus) -> Void = { _ in }

  private let bus: Bus
  private(set) var peer: BlueZPeer?
  var tree = ObjectTree()
  var scheduler: ConnectScheduler
  private var choice: AdapterChoice
  private(set) var adapter: ObjectPath?
  /// Why there is no tree; nil once there is one, and while it is asked for.
  private var problem: BlueZError?
  private var ownerSubscription: SignalSubscription?
  private var subscriptions: [SignalSubscription] = []
  private var isStarted = false

  /// The boards that are open or leaving.
  private(set) var uarts: [ConnectScheduler.Board: BluetoothUART] = [:]
  private var uartsByDevice: [ObjectPath: BluetoothUART] = [:]
  private var createdUARTs = 0
  private var listeners: [AdvertisementObservation] = []
  private var isUpdateScheduled = false
  private var wakeUp: LoopTimer?
  private var retry: LoopTimer?
  /// Counts the times that the adapter came or went, so that a late answer about scanning is known as such.
  private var adapterPeriod = 0
  private var onAllLeft: (@Loop () -> Void)?

  public init(_ settings: BluetoothSettings = BluetoothSettings()) {
    self.settings = settings
    bus = Bus(address: settings.bus, backOff: settings.busBackOff)
    choice = AdapterChoice(wanted: settings.adapter)
    scheduler = ConnectScheduler(timing: settings.timing)
  }

  public func start() {
    guard !isStarted else { return }
    isStarted = true
    bus.onChange = { [weak self] in self?.busChanged($0) }
    bus.start()
  }

  /// Closes every board, ends scanning and leaves the bus. Boards that do not part within 3 s are left to BlueZ.
  public func stop() async {
    guard isStarted else { return }
    isStarted = false
    for observation in listeners { observation.cancel() }
    for uart in uarts.values { uart.close() }
    update()
    if !uarts.isEmpty {
      await withCheckedContinuation { continuation in
        let limit = LoopTimer(after: .seconds(3)) { [weak self] in self?.allHaveLeft() }
        onAllLeft = {
          limit.cancel()
          continuation.resume()
        }
      }
    }
    wakeUp?.cancel()
    retry?.cancel()
    bus.stop()
  }

  /// The serial port of a board, closed at first.
  public func uart(_ board: BoardSelector, service: UARTService = .nus) -> BluetoothUART {
    createdUARTs += 1
    return BluetoothUART(board, service, number: createdUARTs, central: self)
  }

  /// Calls `handler` for each advertisement heard from now on, and keeps the adapter scanning while no board
  /// connects.
  public func observeAdvertisements(
    _ handler: @escaping @Loop (Advertisement) -> Void
  ) -> AdvertisementObservation {
    let observation = AdvertisementObservation(central: self, handler: handler)
    listeners.append(observation)
    scheduleUpdate()
    return observation
  }

  func remove(_ observation: AdvertisementObservation) {
    listeners.removeAll { $0 === observation }
    scheduleUpdate()
  }

  // MARK: The bus and bluetoothd

  private func busChanged(_ state: Bus.State) {
    switch state {
    case .connecting: break
    case .off: lost(.stopped)
    case .down(let error): lost(BlueZError(error))
    case .up(let connection):
      ownerSubscription = connection.observeOwner(of: "org.bluez") { [weak self] owner in
        self?.ownerChanged(to: owner, on: connection)
      }
    }
  }

  private func ownerChanged(to owner: String?, on connection: DBusConnection) {
    guard let owner else { return lost(.serviceNotRunning) }
    guard owner != peer?.owner else { return }
    lost(nil)
    let peer = BlueZPeer(connection: connection, owner: owner)
    self.peer = peer
    subscribe(to: peer)
    fetchTree(from: peer)
  }

  private func fetchTree(from peer: BlueZPeer) {
    // Signals that come before this answer were sent before it and are part of it.
    peer.call(.root, Interface.objectManager, "GetManagedObjects") { [weak self] result in
      guard let self, self.peer?.owner == peer.owner else { return }
      switch result {
      case .success(let values):
        self.problem = nil
        self.isTreeComplete = true
        self.tree = ObjectTree(snapshot: values.first)
      case .failure(let error):
        self.problem = error
        self.retry = LoopTimer(after: .seconds(10)) { [weak self] in
          if self?.peer?.owner == peer.owner { self?.fetchTree(from: peer) }
        }
      }
      self.adapterMayHaveChanged()
    }
  }

  private(set) var isTreeComplete = false

  /// bluetoothd or the bus is gone, and with it all that it told.
  private func lost(_ reason: BlueZError?) {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    peer = nil
    tree = ObjectTree()
    isTreeComplete = false
    problem = reason
    adapterMayHaveChanged()
  }

  private func subscribe(to peer: BlueZPeer) {
    func on(_ rule: MatchRule, _ handler: @escaping @Loop (BluetoothCentral, DBusSignal) -> Void) {
      subscriptions.append(
        peer.connection.subscribe(rule) { [weak self] signal in
          if let self, self.isTreeComplete { handler(self, signal) }
        })
    }
    let manager = Interface.objectManager
    on(MatchRule(sender: peer.owner, interface: manager, member: "InterfacesAdded")) {
      $0.interfacesAdded($1)
    }
    on(MatchRule(sender: peer.owner, interface: manager, member: "InterfacesRemoved")) {
      $0.interfacesRemoved($1)
    }
    on(
      MatchRule(
        sender: peer.owner, pathNamespace: ObjectPath("/org/bluez"), interface: Interface.properties,
        member: "PropertiesChanged")
    ) { $0.propertiesChanged($1) }
  }

  // MARK: The adapter

  func adapterMayHaveChanged() {
    let chosen = isTreeComplete ? choice.choose(from: tree) : nil
    let isPowered = chosen.flatMap { tree.property($0, Interface.adapter, "Powered")?.boolean } ?? false
    let name = chosen.map { String($0.lastElement) }
    if chosen != adapter || isPowered != scheduler.isUsable {
      if scheduler.isUsable { unplug(obstacle(chosen, isPowered) ?? .serviceNotRunning) }
      adapter = chosen
      adapterPeriod += 1
      scheduler.setUsable(isPowered)
      if isPowered { plug() }
    }
    var new = BluetoothStatus(name: name, problem: obstacle(chosen, isPowered))
    new.address = chosen.flatMap { tree.property($0, Interface.adapter, "Address")?.string }
    switch new.problem {
    case nil: new.adapter = isTreeComplete ? .poweredOn : .unknown
    case .busDenied, .accessDenied: new.adapter = .unauthorized
    case .noAdapter: new.adapter = .absent
    case .adapterOff: new.adapter = .poweredOff
    default: new.adapter = .unknown
    }
    scheduleUpdate()
    guard new != status else { return }
    status = new
    if let problem = new.problem {
      for uart in uarts.values where uart.isOpen && uart.lastFailure != problem { uart.tell(problem) }
    }
    onStatusChange(new)
  }

  private func obstacle(_ adapter: ObjectPath?, _ isPowered: Bool) -> BlueZError? {
    if problem != nil || !isTreeComplete { return problem }
    guard let adapter else { return .noAdapter(wanted: settings.adapter) }
    return isPowered ? nil : .adapterOff(String(adapter.lastElement))
  }

  private func unplug(_ reason: BlueZError) {
    uartsByDevice = [:]
    for uart in uarts.values {
      uart.device = nil
      uart.unplugged(reason)
    }
  }

  private func plug() {
    for uart in uarts.values { findDevice(of: uart) }
  }

  /// Puts the adapter's name into an error that BlueZ gives without.
  func named(_ error: BlueZError) -> BlueZError {
    guard case .adapterOff("") = error, let adapter else { return error }
    return .adapterOff(String(adapter.lastElement))
  }

  // MARK: Boards

  func enroll(_ uart: BluetoothUART) {
    uarts[uart.number] = uart
    scheduler.add(uart.number)
    scheduler.want(uart.number, true)
    findDevice(of: uart)
    if isStarted, let problem = status.problem { uart.tell(problem) }
    scheduleUpdate()
  }

  func retire(_ uart: BluetoothUART) {
    uarts[uart.number] = nil
    if let device = uart.device, uartsByDevice[device] === uart { uartsByDevice[device] = nil }
    uart.device = nil
    scheduler.remove(uart.number)
    scheduleUpdate()
    if uarts.isEmpty { allHaveLeft() }
  }

  private func allHaveLeft() {
    let onAllLeft = onAllLeft
    self.onAllLeft = nil
    onAllLeft?()
  }

  /// Looks for a board among the devices that BlueZ knows; one that is connected already is taken over.
  private func findDevice(of uart: BluetoothUART) {
    guard let adapter, uart.device == nil else { return }
    let candidates = tree.paths(with: Interface.device, below: adapter).filter { path in
      uartsByDevice[path] == nil && tree.properties(path, Interface.device).map(uart.isMeant(by:)) == true
    }
    func isConnected(_ path: ObjectPath) -> Bool { property(path, "Connected")?.boolean == true }
    func isHeard(_ path: ObjectPath) -> Bool { property(path, "RSSI") != nil }
    guard
      let device = candidates.first(where: isConnected) ?? candidates.first(where: isHeard)
        ?? candidates.first
    else { return }
    bind(uart, to: device)
    if isHeard(device) { scheduler.heard(uart.number, at: .now) }
    if isConnected(device) { Loop.atTurnEnd { uart.linkAppeared() } }
  }

  private func bind(_ uart: BluetoothUART, to device: ObjectPath) {
    if let before = uart.device { uartsByDevice[before] = nil }
    uart.device = device
    uartsByDevice[device] = uart
  }

  /// The open board behind a device that was heard or changed.
  func uart(at device: ObjectPath, isHeard: Bool) -> BluetoothUART? {
    if let uart = uartsByDevice[device] { return uart }
    guard let adapter, device.isBelow(adapter), let properties = tree.properties(device, Interface.device)
    else {
      return nil
    }
    let uart = uarts.values.first { uart in
      (uart.device == nil || isHeard && uart.phase == .waiting) && uart.isMeant(by: properties)
    }
    if let uart { bind(uart, to: device) }
    return uart
  }

  func knownUART(at device: ObjectPath) -> BluetoothUART? { uartsByDevice[device] }

  func forget(_ device: ObjectPath) { uartsByDevice[device] = nil }

  func linkEstablished(_ uart: BluetoothUART) {
    scheduler.linked(uart.number, at: .now)
    scheduleUpdate()
  }

  /// Makes BlueZ forget a board and the services that it remembers of it.
  func removeDevice(_ device: ObjectPath) {
    guard let adapter else { return }
    peer?.call(adapter, Interface.adapter, "RemoveDevice", [.objectPath(device)])
  }

  func isKnown(_ device: ObjectPath) -> Bool { tree.properties(device, Interface.device) != nil }

  func property(_ device: ObjectPath, _ name: String) -> DBusValue? {
    tree.property(device, Interface.device, name)
  }

  /// Whether the device was met over BR/EDR: it has a class or a classic serial port.
  func isClassic(_ device: ObjectPath) -> Bool {
    let serialPort = "00001101-0000-1000-8000-00805f9b34fb"
    return property(device, "Class") != nil
      || property(device, "UUIDs")?.strings?.contains(serialPort) == true
  }

  func report(_ advertisement: @autoclosure () -> Advertisement?) {
    guard !listeners.isEmpty, let advertisement = advertisement() else { return }
    for listener in listeners { listener.handler?(advertisement) }
  }

  // MARK: Scanning and turns

  /// Does what the scheduler wants, once, at the end of the turn.
  func scheduleUpdate() {
    if isUpdateScheduled { return }
    isUpdateScheduled = true
    Loop.atTurnEnd { self.update() }
  }

  private func update() {
    isUpdateScheduled = false
    scheduler.hasListeners = !listeners.isEmpty
    for uart in uarts.values { scheduler.want(uart.number, uart.isOpen && uart.phase == .waiting) }
    while let action = scheduler.next(at: .now) {
      switch action {
      case .startScanning: startScanning()
      case .stopScanning: stopScanning()
      case .connect(let number): uarts[number]?.connect()
      }
    }
    wakeUp?.cancel()
    let now = MonotonicTime.now
    wakeUp = scheduler.wakeUp(after: now).map { time in
      LoopTimer(after: now.duration(to: time)) { [weak self] in self?.update() }
    }
  }

  private func startScanning() {
    guard let peer, let adapter else { return }
    let period = adapterPeriod
    let filter: [String: DBusValue] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
    peer.call(adapter, Interface.adapter, "SetDiscoveryFilter", [.properties(filter)])
    peer.call(adapter, Interface.adapter, "StartDiscovery") { [weak self] result in
      guard let self, self.adapterPeriod == period else { return }
      switch result {
      // Our own scan of before a lost answer counts as ours.
      case .success, .failure(.inProgress): self.scheduler.scanChanged(to: .on)
      case .failure: self.scheduler.scanFailed(at: .now, random: .random(in: 0..<1))
      }
      self.scheduleUpdate()
    }
  }

  private func stopScanning() {
    guard let peer, let adapter else { return }
    let period = adapterPeriod
    peer.call(adapter, Interface.adapter, "StopDiscovery") { [weak self] _ in
      // A refusal means that none was running.
      guard let self, self.adapterPeriod == period else { return }
      self.scheduler.scanChanged(to: .off)
      self.scheduleUpdate()
    }
  }
}
