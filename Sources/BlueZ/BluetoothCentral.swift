public import DeviceModel
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
  private var ownerSubscription: SignalSubscription?
  private var subscriptions: [SignalSubscription] = []
  private var retry: LoopTimer?
  private(set) var isStarted = false

  var tree = ObjectTree()
  private(set) var isTreeComplete = false
  /// Why there is no tree; nil once there is one, and while it is asked for.
  private var problem: BlueZError?
  private var choice: AdapterChoice
  private(set) var adapter: ObjectPath?

  var scheduler: ConnectScheduler
  var boards = OpenBoards()
  private var scanner: Scanner?
  var monitors: AdvertisementMonitors?
  var listeners: [AdvertisementObservation] = []
  private var createdConnections = 0
  private var isUpdateScheduled = false
  private var wakeUp: LoopTimer?
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
    for connection in boards.all.values { connection.close() }
    update()
    await Loop.suspend { continuation in
      if boards.all.isEmpty { return continuation.resume() }
      let limit = LoopTimer(after: .seconds(3)) { [weak self] in self?.allHaveLeft() }
      onAllLeft = {
        limit.cancel()
        continuation.resume()
      }
    }
    wakeUp?.cancel()
    retry?.cancel()
    bus.stop()
  }

  /// The serial port of a board, closed at first.
  public func uart(_ board: BoardSelector, service: UARTService = .nus) -> BluetoothUART {
    BluetoothUART(connection(to: board), service)
  }

  /// The services of a board, closed at first.
  public func peripheral(_ board: BoardSelector) -> BluetoothPeripheral {
    BluetoothPeripheral(connection(to: board))
  }

  private func connection(to board: BoardSelector) -> BoardConnection {
    createdConnections += 1
    return BoardConnection(board, number: createdConnections, central: self)
  }

  /// All adapters that BlueZ has.
  public var adapters: [BluetoothAdapter] {
    let tree = tree
    return tree.paths(with: Interface.adapter).map { path in
      func isTrue(_ name: String) -> Bool { tree.property(path, Interface.adapter, name)?.boolean ?? false }
      return BluetoothAdapter(
        name: String(path.lastElement),
        address: tree.property(path, Interface.adapter, "Address")?.string ?? "",
        isPowered: isTrue("Powered"), isDiscovering: isTrue("Discovering"), isUsed: path == adapter)
    }
  }

  /// Devices that BlueZ has told of and not taken back, of all adapters.
  public var knownDevices: Int { tree.paths(with: Interface.device).count }

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
    let obstacle = obstacle(chosen, isPowered)
    if chosen != adapter || isPowered != scheduler.isUsable {
      if scheduler.isUsable { unplug(obstacle ?? .serviceNotRunning) }
      adapter = chosen
      scheduler.setUsable(isPowered)
      if isPowered { plug() }
    }
    scheduleUpdate()
    let new = BluetoothStatus(
      adapter: state(obstacle), name: chosen.map { String($0.lastElement) },
      address: chosen.flatMap { tree.property($0, Interface.adapter, "Address")?.string }, problem: obstacle)
    guard new != status else { return }
    status = new
    if let obstacle {
      for connection in boards.all.values where connection.isOpen && connection.lastFailure != obstacle {
        connection.tell(obstacle)
      }
    }
    onStatusChange(new)
  }

  private func obstacle(_ adapter: ObjectPath?, _ isPowered: Bool) -> BlueZError? {
    if problem != nil || !isTreeComplete { return problem }
    guard let adapter else { return .noAdapter(wanted: settings.adapter) }
    return isPowered ? nil : .adapterOff(String(adapter.lastElement))
  }

  private func state(_ obstacle: BlueZError?) -> BluetoothStatus.Adapter {
    switch obstacle {
    case nil: isTreeComplete ? .poweredOn : .unknown
    case .busDenied, .accessDenied: .unauthorized
    case .noAdapter: .absent
    case .adapterOff: .poweredOff
    default: .unknown
    }
  }

  private func unplug(_ reason: BlueZError) {
    scanner?.cancel()
    scanner = nil
    monitors?.end()
    monitors = nil
    boards.unbindAll()
    for connection in boards.all.values { connection.unplugged(reason) }
  }

  private func plug() {
    guard let peer, let adapter else { return }
    scanner = Scanner(adapter, of: peer) { [weak self] isOn in
      switch isOn {
      case true?: self?.scheduler.scanChanged(to: .on)
      case false?: self?.scheduler.scanChanged(to: .off)
      case nil: self?.scheduler.scanFailed(at: .now, random: .random(in: 0..<1))
      }
      self?.scheduleUpdate()
    }
    if tree.properties(adapter, Interface.monitorManager) != nil {
      monitors = makeMonitors(adapter, of: peer)
    }
    for connection in boards.all.values { findDevice(of: connection) }
    reportHeard(to: listeners.filter(\.includesHeard))
  }

  func allHaveLeft() {
    let onAllLeft = onAllLeft
    self.onAllLeft = nil
    onAllLeft?()
  }

  // MARK: Turns

  /// Does what the scheduler wants, once, at the end of the turn.
  func scheduleUpdate() {
    if isUpdateScheduled { return }
    isUpdateScheduled = true
    Loop.atTurnEnd { self.update() }
  }

  private func update() {
    isUpdateScheduled = false
    scheduler.listening = listening()
    for connection in boards.all.values {
      scheduler.want(connection.number, connection.isOpen && connection.phase == .waiting)
    }
    while let action = scheduler.next(at: .now) {
      switch action {
      case .startScanning: scanner?.start()
      case .stopScanning: scanner?.stop()
      case .connect(let number): boards.all[number]?.connect()
      }
    }
    tellDeafness()
    wakeUp?.cancel()
    let now = MonotonicTime.now
    wakeUp = scheduler.wakeUp(after: now).map { time in
      LoopTimer(after: now.duration(to: time)) { [weak self] in self?.update() }
    }
  }
}
