import DBus
import EventLoop

/// The boards that are open or leaving, and which of BlueZ' devices each is.
@Loop struct OpenBoards {
  private(set) var all: [ConnectScheduler.Board: BoardConnection] = [:]
  private var byDevice: [ObjectPath: BoardConnection] = [:]

  init() {}

  mutating func insert(_ connection: BoardConnection) { all[connection.number] = connection }

  mutating func remove(_ connection: BoardConnection) {
    all[connection.number] = nil
    unbind(connection)
  }

  /// Whether a board's values come as signals on the bus.
  var hearOnBus: Bool { all.values.contains { $0.hearsOnBus } }

  func board(at device: ObjectPath) -> BoardConnection? { byDevice[device] }

  mutating func bind(_ connection: BoardConnection, to device: ObjectPath) {
    unbind(connection)
    connection.device = device
    byDevice[device] = connection
  }

  /// BlueZ has forgotten a device; whose board it was is told by the return.
  mutating func deviceRemoved(_ device: ObjectPath) -> BoardConnection? {
    byDevice.removeValue(forKey: device)
  }

  mutating func unbindAll() {
    for connection in all.values { connection.device = nil }
    byDevice = [:]
  }

  /// The open board that a device of nobody yet is. One known by name only moves to the device that is heard.
  func claimant(of properties: [String: DBusValue], isHeard: Bool) -> BoardConnection? {
    all.values.first { connection in
      (connection.device == nil || isHeard && connection.phase == .waiting)
        && connection.isMeant(by: properties)
    }
  }

  /// The device that a board is, of those below `adapter` that are nobody's: rather one that is connected or was
  /// heard than one that is only remembered.
  func device(for connection: BoardConnection, in tree: ObjectTree, below adapter: ObjectPath) -> ObjectPath?
  {
    let candidates = tree.paths(with: Interface.device, below: adapter).filter { path in
      byDevice[path] == nil && tree.properties(path, Interface.device).map(connection.isMeant(by:)) == true
    }
    return candidates.first { tree.property($0, Interface.device, "Connected")?.boolean == true }
      ?? candidates.first { tree.property($0, Interface.device, "RSSI") != nil }
      ?? candidates.first
  }

  private mutating func unbind(_ connection: BoardConnection) {
    guard let device = connection.device else { return }
    if byDevice[device] === connection { byDevice[device] = nil }
    connection.device = nil
  }
}
