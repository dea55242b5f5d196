import DBus

/// BlueZ' objects with their interfaces and properties, as announced.
struct ObjectTree {
  typealias Interfaces = [String: [String: DBusValue]]

  private var objects: [ObjectPath: Interfaces] = [:]

  /// More objects than any radio hears; further ones are refused, so that nobody on the air fills the memory.
  static let maximumObjects = 20_000

  /// The objects of the answer to `GetManagedObjects`, `a{oa{sa{sv}}}`.
  init(snapshot: DBusValue?) {
    for entry in snapshot?.entries ?? [] {
      guard let path = entry.key.objectPath else { continue }
      add(path, Self.interfaces(entry.value))
    }
  }

  init() {}

  static func interfaces(_ value: DBusValue) -> Interfaces {
    var interfaces: Interfaces = [:]
    for entry in value.entries ?? [] {
      guard let name = entry.key.string else { continue }
      interfaces[name] = entry.value.properties ?? [:]
    }
    return interfaces
  }

  mutating func add(_ path: ObjectPath, _ interfaces: Interfaces) {
    guard objects[path] != nil || objects.count < Self.maximumObjects else { return }
    objects[path, default: [:]].merge(interfaces) { _, new in new }
  }

  mutating func remove(_ path: ObjectPath, _ interfaces: [String]) {
    for interface in interfaces { objects[path]?[interface] = nil }
    if objects[path]?.isEmpty == true { objects[path] = nil }
  }

  /// A change of an object that was never announced is not kept.
  mutating func change(
    _ path: ObjectPath, _ interface: String, _ changed: [String: DBusValue], invalidated: [String]
  ) {
    guard objects[path]?[interface] != nil else { return }
    for (name, value) in changed { objects[path]?[interface]?[name] = value }
    for name in invalidated { objects[path]?[interface]?[name] = nil }
  }

  func properties(_ path: ObjectPath, _ interface: String) -> [String: DBusValue]? {
    objects[path]?[interface]
  }

  func property(_ path: ObjectPath, _ interface: String, _ name: String) -> DBusValue? {
    objects[path]?[interface]?[name]
  }

  /// All objects below `parent`, in the order of their paths.
  func paths(below parent: ObjectPath) -> [ObjectPath] {
    objects.keys.filter { $0.isBelow(parent) }.sorted { $0.text < $1.text }
  }

  /// The objects with `interface` below `parent`, in the order of their paths.
  func paths(with interface: String, below parent: ObjectPath = .root) -> [ObjectPath] {
    objects.filter { $0.value[interface] != nil && $0.key.isBelow(parent) }.keys.sorted { $0.text < $1.text }
  }
}

/// Names of BlueZ' interfaces.
enum Interface {
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
}
