import DBus
import EventLoop

/// The connections, and which of BlueZ' devices each is.
extension BluetoothCentral {
  func enroll(_ connection: BoardConnection) {
    boards.insert(connection)
    scheduler.add(connection.number)
    findDevice(of: connection)
    if isStarted, let problem = status.problem { connection.tell(problem) }
    scheduleUpdate()
  }

  func retire(_ connection: BoardConnection) {
    boards.remove(connection)
    scheduler.remove(connection.number)
    scheduleUpdate()
    if boards.all.isEmpty { allHaveLeft() }
  }

  /// Looks for a board among the devices that BlueZ knows; one that is connected already is taken over.
  func findDevice(of connection: BoardConnection) {
    guard let adapter, let device = boards.device(for: connection, in: tree, below: adapter) else { return }
    boards.bind(connection, to: device)
    if let rssi = property(device, "RSSI") {
      connection.lastRSSI = rssi.strength
      scheduler.heard(connection.number, at: .now)
    }
    if property(device, "Connected")?.boolean == true { Loop.atTurnEnd { connection.linkAppeared() } }
  }

  /// The open board that a device is, if any.
  func board(at device: ObjectPath, isHeard: Bool) -> BoardConnection? {
    if let connection = boards.board(at: device) { return connection }
    guard let adapter, device.isBelow(adapter), let properties = tree.properties(device, Interface.device),
      let connection = boards.claimant(of: properties, isHeard: isHeard)
    else { return nil }
    boards.bind(connection, to: device)
    return connection
  }

  func deviceRemoved(_ device: ObjectPath) { boards.deviceRemoved(device)?.deviceRemoved() }

  func linkEstablished(_ connection: BoardConnection) {
    scheduler.linked(connection.number, at: .now)
    scheduleUpdate()
  }
}
