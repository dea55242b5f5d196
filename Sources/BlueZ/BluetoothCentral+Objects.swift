import DBus
import DeviceModel
import EventLoop

/// What BlueZ tells about its objects.
extension BluetoothCentral {
  func interfacesAdded(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].objectPath else { return }
    let interfaces = ObjectTree.interfaces(signal.arguments[1])
    tree.add(path, interfaces)
    if interfaces[Interface.adapter] != nil { adapterMayHaveChanged() }
    if let properties = interfaces[Interface.device] { deviceChanged(path, properties) }
  }

  func interfacesRemoved(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].objectPath,
      let interfaces = signal.arguments[1].strings
    else { return }
    tree.remove(path, interfaces)
    if interfaces.contains(Interface.adapter) { adapterMayHaveChanged() }
    if interfaces.contains(Interface.device) { deviceRemoved(path) }
  }

  func propertiesChanged(_ signal: DBusSignal) {
    guard signal.arguments.count == 3, let interface = signal.arguments[0].string,
      let changed = signal.arguments[1].properties
    else { return }
    let path = signal.path
    if interface == Interface.characteristic, let bytes = changed["Value"]?.bytes {
      if let device = path.parent?.parent { boards.board(at: device)?.announced(bytes, by: path) }
      return
    }
    tree.change(path, interface, changed, invalidated: signal.arguments[2].strings ?? [])
    switch interface {
    case Interface.adapter: adapterMayHaveChanged()
    case Interface.device: deviceChanged(path, changed)
    default: break
    }
  }

  private func deviceChanged(_ path: ObjectPath, _ changed: [String: DBusValue]) {
    let isHeard = Advertisement.isHeard(in: changed)
    if let connection = board(at: path, isHeard: isHeard) {
      if isHeard {
        if let rssi = changed["RSSI"]?.strength { connection.lastRSSI = rssi }
        scheduler.heard(connection.number, at: .now)
        scheduleUpdate()
      }
      if let isConnected = changed["Connected"]?.boolean {
        if isConnected { connection.linkAppeared() } else { connection.linkVanished() }
      }
      if changed["ServicesResolved"]?.boolean == true { connection.servicesResolved() }
    }
    if isHeard {
      report(tree.properties(path, Interface.device).flatMap { Advertisement($0) })
      restAfterAdvertisement()
    }
  }

  /// Many advertisements a second come one by one, and waking up for each costs more than handling it. The first is
  /// handled at once; those of the next ``advertisementRest`` are handled together, unless something else is awaited.
  private func restAfterAdvertisement() {
    guard !listeners.isEmpty, let connection = peer?.connection, !connection.isResting, !boards.hearOnBus
    else { return }
    connection.rest(for: Self.advertisementRest)
  }

  private static let advertisementRest = Duration.milliseconds(25)

  // MARK: Devices

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

  /// Makes BlueZ forget a board and the services that it remembers of it.
  func removeDevice(_ device: ObjectPath) {
    guard let adapter else { return }
    peer?.call(adapter, Interface.adapter, "RemoveDevice", [.objectPath(device)])
  }

  /// Puts the adapter's name into an error that BlueZ gives without.
  func named(_ error: BlueZError) -> BlueZError {
    guard case .adapterOff("") = error, let adapter else { return error }
    return .adapterOff(String(adapter.lastElement))
  }
}
