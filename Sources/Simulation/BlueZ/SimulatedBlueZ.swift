public import DBus
public import EventLoop

/// A bluetoothd 5.66 with one adapter and simulated boards, as seen over a bus.
///
/// It behaves as the real one was measured to. Faults come on demand: of boards by ``SimulatedBoard``, of the
/// adapter and the daemon by the methods here.
@Loop public final class SimulatedBlueZ: Awaitable {
  public let busAddress: String
  public var timing: SimulatedBlueZTiming
  public let adapterAddress: String
  public internal(set) var adapterName = "hci0"
  public internal(set) var isPlugged = true
  public internal(set) var isPowered = true
  /// The controller reports a board once in a scan window only.
  public var filtersStrictly = false
  /// It was started with `--experimental`.
  public var offersMonitors = false
  /// Answers to the next calls of a method of the adapter or the object manager, by the method's name.
  public var nextFaults: [String: [BlueZFault]] = [:]

  // What a test looks at.

  /// Also for what is seen of the boards here: connections, subscriptions, what was written.
  public let waits = Waits()
  public internal(set) var boards: [SimulatedBoard] = []
  public var isDiscovering: Bool { !discoverers.isEmpty }
  public internal(set) var discoveriesStarted = 0
  /// Advertisements that clients were told of.
  public internal(set) var advertisementsHeard = 0
  public internal(set) var mostConnectsAtOnce = 0
  public internal(set) var connectsWhileScanning = 0
  /// The filter of the last `SetDiscoveryFilter`.
  public internal(set) var discoveryFilter: [String: DBusValue] = [:]

  var connectsInProgress = 0
  var discoverers: Set<String> = []
  var advertisingTimer: LoopTimer?
  var monitorApplications: [MonitorApplication] = []
  private(set) var connection: DBusConnection?
  private var departures: SignalSubscription?

  public init(
    busAddress: String, adapterAddress: String = "00:1A:7D:DA:71:01",
    timing: SimulatedBlueZTiming = SimulatedBlueZTiming()
  ) {
    self.busAddress = busAddress
    self.adapterAddress = adapterAddress
    self.timing = timing
  }

  /// Puts a board within reach.
  @discardableResult
  public func add(_ peripheral: any SimulatedPeripheral, at address: String) -> SimulatedBoard {
    let board = SimulatedBoard(address.uppercased(), peripheral, bluez: self)
    boards.append(board)
    return board
  }

  /// The board is not within reach any more, and will not be again; BlueZ keeps its object for a while.
  public func carryAway(_ board: SimulatedBoard) {
    board.isAdvertising = false
    board.isGone = true
    board.drop()
  }

  // MARK: The daemon

  /// Starts the daemon, or starts it again: boards that were connected once are back, as objects without a
  /// service.
  public func start() async throws(DBusError) {
    guard connection == nil else { return }
    let connection = try await DBusConnection.open(BusAddress(busAddress))
    self.connection = connection
    connection.export(at: .root) { [weak self] in self?.answer($0) }
    departures = connection.observeDepartures { [weak self] in self?.clientLeft($0) }
    connection.onLost = { [weak self] in self?.kill() }
    for board in boards where board.hasBeenConnected { board.isKnown = true }
    guard try await connection.requestName("org.bluez") else {
      kill()
      throw .remote(name: "org.freedesktop.DBus.Error.AddressInUse", message: "org.bluez is owned already")
    }
  }

  /// As by SIGTERM: everything is taken back, object by object.
  public func stop() {
    guard connection != nil else { return }
    stopDiscovery()
    if isPlugged { removeAllObjects() }
    kill()
  }

  /// As by SIGKILL: gone without a word.
  public func kill() {
    departures = nil
    advertisingTimer?.cancel()
    advertisingTimer = nil
    discoverers = []
    monitorApplications = []
    for board in boards { board.forget() }
    connection?.close()
    connection = nil
    waits.lookAtTurnEnd()
  }

  // MARK: The adapter

  public func powerOff() {
    guard isPowered else { return }
    stopDiscovery()
    for board in boards {
      board.failConnect(.failed("br-connection-canceled"))
      board.endConnection(inOneSignal: true)
    }
    isPowered = false
    scanIfNeeded()
    changed(adapterPath, "org.bluez.Adapter1", ["Powered": .boolean(false)])
  }

  public func powerOn() {
    guard !isPowered else { return }
    isPowered = true
    changed(adapterPath, "org.bluez.Adapter1", ["Powered": .boolean(true)])
    scanIfNeeded()
  }

  /// Pulls the adapter out: BlueZ shows it switched off first, then takes everything back.
  public func unplug() {
    guard isPlugged else { return }
    powerOff()
    removeAllObjects()
    isPlugged = false
    monitorApplications = []
    for board in boards { board.forget() }
  }

  /// Plugs the adapter in again, perhaps under another name.
  public func plug(as name: String) {
    guard !isPlugged else { return }
    adapterName = name
    isPlugged = true
    isPowered = true
    for board in boards where board.hasBeenConnected { board.isKnown = true }
    for object in managedObjects() where object.path != Self.root { added(object.path, object.interfaces) }
  }

  /// Makes BlueZ forget a board as `RemoveDevice` does.
  func remove(_ board: SimulatedBoard) {
    board.endConnection(inOneSignal: false)
    if board.areServicesShown {
      for object in board.serviceObjects().reversed() { removed(object.path, [object.interface]) }
    }
    if board.isKnown { removed(board.path, ["org.bluez.Device1"]) }
    board.forget()
    board.cachedServices = nil
    board.hasBeenConnected = false
  }

  private func removeAllObjects() {
    for object in managedObjects().reversed() where object.path != Self.root {
      removed(object.path, object.interfaces.keys.sorted())
    }
  }

  private func clientLeft(_ client: String) {
    stopDiscovery(of: client)
    monitorApplications.removeAll { $0.client == client }
    scanIfNeeded()
    waits.lookAtTurnEnd()
    for board in boards {
      for uuid in board.sessions.keys { board.sessions[uuid]?.clients.remove(client) }
    }
  }

  public var summary: String {
    """
    discovering \(isDiscovering), \(activeMonitors) monitors, boards \(boards.map { board in
        "\(board.address): \(board.connectCalls) connects, connected \(board.isConnected), \(board.writes.count) writes"
      })
    """
  }

  // MARK: Paths and signals

  static let root = ObjectPath("/org/bluez") ?? .root

  var adapterPath: ObjectPath { Self.root.appending(adapterName) ?? .root }

  func path(_ element: String) -> ObjectPath { adapterPath.appending(element) ?? .root }

  func changed(
    _ path: ObjectPath, _ interface: String, _ properties: [String: DBusValue], invalidated: [String] = []
  ) {
    emit(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(interface), .properties(properties), .strings(invalidated)])
  }

  func added(_ path: ObjectPath, _ interfaces: [String: [String: DBusValue]]) {
    emit(
      .root, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [.objectPath(path), Self.value(interfaces)])
  }

  func removed(_ path: ObjectPath, _ interfaces: [String]) {
    emit(
      .root, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
      [.objectPath(path), .strings(interfaces)])
  }

  static func value(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      interfaces.sorted { $0.key < $1.key }.map { DBusValue.Entry(.string($0.key), .properties($0.value)) })
  }

  private func emit(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
    waits.lookAtTurnEnd()
    do throws(DBusEncodingError) {
      try connection?.emit(path, interface, member, arguments)
    } catch {
      // A test gave a board a name with a NUL in it, which no radio carries.
      assertionFailure("\(error)")
    }
  }
}
