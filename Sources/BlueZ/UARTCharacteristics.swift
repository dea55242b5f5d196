import DeviceModel
import DBus

/// Where a connected board's UART lies in BlueZ' tree.
struct UARTCharacteristics: Hashable {
  var write: ObjectPath
  var notify: ObjectPath
  /// Whether the board takes writes with an answer.
  var takesRequests: Bool
  /// Whether the board takes writes without an answer.
  var takesCommands: Bool
  /// Of the link; 23 when BlueZ does not say.
  var mtu: Int

  enum Missing: Error, Hashable {
    /// The list of services has ended, and it is empty.
    case everything
    /// Other services, by number.
    case uart(found: [BluetoothUUID])
  }

  /// Looks for `service` among the objects below `device`.
  init(of service: UARTService, at device: ObjectPath, in tree: ObjectTree) throws(Missing) {
    let services = tree.paths(with: Interface.service, below: device)
    if services.isEmpty { throw .everything }
    var found: [BluetoothUUID] = []
    for path in services {
      guard let uuid = Self.uuid(path, Interface.service, tree) else { continue }
      found.append(uuid)
      guard uuid == service.service else { continue }
      let characteristics = tree.paths(with: Interface.characteristic, below: path)
      let write = characteristics.first { Self.uuid($0, Interface.characteristic, tree) == service.write }
      let notify = characteristics.first { Self.uuid($0, Interface.characteristic, tree) == service.notify }
      guard let write, let notify else { continue }
      self.init(write: write, notify: notify, in: tree)
      return
    }
    throw .uart(found: found)
  }

  private init(write: ObjectPath, notify: ObjectPath, in tree: ObjectTree) {
    self.write = write
    self.notify = notify
    let flags = tree.property(write, Interface.characteristic, "Flags")?.strings ?? []
    takesRequests = flags.contains("write")
    takesCommands = flags.contains("write-without-response")
    mtu = tree.property(write, Interface.characteristic, "MTU")?.uint16.map(Int.init) ?? 23
  }

  private static func uuid(_ path: ObjectPath, _ interface: String, _ tree: ObjectTree) -> BluetoothUUID? {
    tree.property(path, interface, "UUID")?.string.flatMap { BluetoothUUID($0) }
  }
}
