public import DeviceModel
import DBus

/// A service of a connected board, as BlueZ lists it.
public struct GATTService: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var isPrimary: Bool
  public var characteristics: [GATTCharacteristic]
}

/// A characteristic of a service.
public struct GATTCharacteristic: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// Tells it from others of the same UUID on the board.
  public var handle: Handle
  /// What may be done to it, in BlueZ' words: `read`, `write-without-response`, `encrypt-read`, …
  public var flags: [String]
  public var isNotifying: Bool
  public var descriptors: [GATTDescriptor]

  /// An attribute's number on its board.
  public typealias Handle = UInt16

  public var canRead: Bool { allows("read") }
  public var canWriteWithResponse: Bool { allows("write") || flags.contains("reliable-write") }
  public var canWriteWithoutResponse: Bool { flags.contains("write-without-response") }
  public var canNotify: Bool { allows("notify") || allows("indicate") }

  /// With or without a need for encryption.
  private func allows(_ word: String) -> Bool {
    flags.contains {
      $0 == word || $0.hasSuffix("-" + word) && ($0.hasPrefix("encrypt-") || $0.hasPrefix("secure-"))
    }
  }
}

/// A descriptor of a characteristic.
public struct GATTDescriptor: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var handle: GATTCharacteristic.Handle
}

extension GATTService {
  /// The services below `device`, in the order of the board.
  static func all(of device: ObjectPath, in tree: ObjectTree) -> [GATTService] {
    let paths = tree.paths(below: device)
    func uuid(_ path: ObjectPath, _ interface: String) -> BluetoothUUID? {
      tree.property(path, interface, "UUID")?.string.flatMap { BluetoothUUID($0) }
    }
    func descriptors(of characteristic: ObjectPath) -> [GATTDescriptor] {
      paths.compactMap { path in
        guard path.isBelow(characteristic), let uuid = uuid(path, Interface.descriptor),
          let handle = GATTCharacteristic.handle(of: path)
        else { return nil }
        return GATTDescriptor(uuid: uuid, handle: handle)
      }
    }
    func characteristics(of service: ObjectPath) -> [GATTCharacteristic] {
      paths.compactMap { path in
        guard path.isBelow(service), let uuid = uuid(path, Interface.characteristic),
          let handle = GATTCharacteristic.handle(of: path)
        else { return nil }
        return GATTCharacteristic(
          uuid: uuid, handle: handle,
          flags: tree.property(path, Interface.characteristic, "Flags")?.strings ?? [],
          isNotifying: tree.property(path, Interface.characteristic, "Notifying")?.boolean ?? false,
          descriptors: descriptors(of: path))
      }
    }
    return paths.compactMap { path in
      uuid(path, Interface.service).map { uuid in
        GATTService(
          uuid: uuid, isPrimary: tree.property(path, Interface.service, "Primary")?.boolean ?? true,
          characteristics: characteristics(of: path))
      }
    }
  }
}

extension GATTCharacteristic {
  /// The last four digits of `…/char000b` or `…/desc000d`.
  static func handle(of path: ObjectPath) -> Handle? { Handle(path.lastElement.suffix(4), radix: 16) }
}
