import DBus
public import EventLoop

/// One board within reach of the simulated adapter, with the faults that a test gives it.
@Loop public final class SimulatedBoard {
  /// With colons and capitals.
  public nonisolated let address: String
  public let peripheral: any SimulatedPeripheral

  // What a test steers.

  public var isAdvertising = true
  /// False for a beacon.
  public var isConnectable = true
  public var rssiDBm: Int16 = -60
  /// By how much single readings differ from that, at most.
  public var rssiSwing: Int16 = 0
  public var manufacturerData: [UInt16: [UInt8]] = [:]
  public var serviceData: [String: [UInt8]] = [:]
  /// Beside the first of its services.
  public var advertisedServices: [String] = []
  /// 23 for an nRF8001.
  public var mtu = 23
  /// A dual-mode module that was met by its classic radio too.
  public var isClassicToo = false
  public var isPaired = false
  /// The course of the next connects, one each; then ``usualCourse``.
  public var nextCourses: [ConnectCourse] = []
  public var usualCourse = ConnectCourse.normal
  /// What BlueZ remembers of the board's services from before its firmware changed.
  public var rememberedServices: [SimulatedService]? {
    get { cachedServices }
    set { cachedServices = newValue }
  }
  /// The answers to the next calls of a method of its characteristics, by the method's name.
  public var nextFaults: [String: [BlueZFault]] = [:]
  /// What the next writes with response are answered with, after the board has taken them.
  public var nextAnswers: [BlueZFault] = []
  /// The answers to all calls of a method.
  public var faults: [String: BlueZFault] = [:]
  /// The board takes its time: reads have no answer while this is true.
  public var holdsReads = false {
    didSet { if !holdsReads { releaseReads() } }
  }
  /// Ends the notification descriptor right after it was given out, and the connection with it.
  public var endsNotificationsAndDrops = false
  /// Notifications longer than this come in pieces.
  public var fragmentBytes: Int?

  // What a test looks at.

  public internal(set) var isConnected = false
  /// Notifications that nobody had subscribed to, or that found their socket full.
  public internal(set) var lostNotifications = 0
  public internal(set) var writes: [[UInt8]] = []
  public internal(set) var connectCalls = 0
  /// Calls of each method of its characteristics.
  public internal(set) var calls: [String: Int] = [:]

  unowned let bluez: SimulatedBlueZ
  var isResolved = false
  /// Whether BlueZ has an object for the board.
  var isKnown = false
  /// The services whose objects BlueZ shows.
  var cachedServices: [SimulatedService]?
  var areServicesShown = false
  var hasBeenConnected = false
  var shownRSSI: Int16?
  var heardAt: MonotonicTime?
  /// Nobody will hear of it again.
  var isGone = false
  var connectCall: IncomingCall?
  var timer: LoopTimer?
  var removal: LoopTimer?
  var sessions: [String: NotificationSession] = [:]
  var writeSockets: [String: SimulatedSocket] = [:]
  var writingCharacteristics: Set<String> = []
  var lastRead: [String: [UInt8]] = [:]
  var heldReads: [(call: IncomingCall, characteristic: SimulatedService.Characteristic)] = []

  /// Who hears a characteristic.
  struct NotificationSession {
    var clients: Set<String> = []
    var socket: SimulatedSocket?

    var isOn: Bool { !clients.isEmpty || socket != nil }
  }

  init(_ address: String, _ peripheral: any SimulatedPeripheral, bluez: SimulatedBlueZ) {
    self.address = address
    self.peripheral = peripheral
    self.bluez = bluez
  }

  /// Whether somebody has subscribed to any of the board's characteristics.
  public var isSubscribed: Bool { isConnected && sessions.values.contains(where: \.isOn) }
  /// Whether notifications leave by a descriptor.
  public var usesNotificationDescriptor: Bool { sessions.values.contains { $0.socket != nil } }

  var element: String { "dev_" + address.split(separator: ":").joined(separator: "_") }
  var path: ObjectPath { bluez.path(element) }

  // MARK: What the board does

  /// Power cut, out of range, or a board that hangs up.
  public func drop() {
    guard isConnected else { return }
    endConnection(inOneSignal: true)
  }

  /// bluetoothd closes the notification descriptor although the connection lives.
  public func endNotificationDescriptor() {
    for uuid in sessions.keys {
      sessions[uuid]?.socket?.close()
      sessions[uuid]?.socket = nil
    }
  }

  func notify(_ bytes: [UInt8]) {
    for service in peripheral.services {
      guard let uuid = service.notifying else { continue }
      var rest = bytes[...]
      repeat {
        let piece = rest.prefix(min(fragmentBytes ?? rest.count, mtu - 3))
        notify(Array(piece), from: uuid)
        rest = fragmentBytes == nil ? [] : rest.dropFirst(piece.count)
      } while !rest.isEmpty
      return
    }
  }

  func notify(_ bytes: [UInt8], from uuid: String) {
    guard isConnected, let session = sessions[uuid], session.isOn, let path = path(ofCharacteristic: uuid)
    else {
      lostNotifications += 1
      return
    }
    if let socket = session.socket {
      if !socket.send(bytes) { lostNotifications += 1 }
    } else {
      // bluetoothd signals a value once for each client that is subscribed, and every client hears all of them.
      for _ in session.clients {
        bluez.changed(path, "org.bluez.GattCharacteristic1", ["Value": .bytes(bytes)])
      }
    }
  }

  // MARK: Its objects

  /// The objects of its services, with the handles that a board gives them: each characteristic takes one for
  /// itself, one for its value, and one for its switch if it notifies.
  func serviceObjects() -> [(path: ObjectPath, interface: String, properties: [String: DBusValue])] {
    var objects: [(path: ObjectPath, interface: String, properties: [String: DBusValue])] = []
    var handle = 0x0A
    for service in cachedServices ?? [] {
      guard let servicePath = path.appending("service" + hexadecimal(handle)) else { continue }
      objects.append(
        (
          servicePath, "org.bluez.GattService1",
          ["UUID": .string(service.uuid), "Device": .objectPath(path), "Primary": .boolean(true)]
        ))
      handle += 1
      for characteristic in service.characteristics {
        guard let path = servicePath.appending("char" + hexadecimal(handle)) else { continue }
        let notifies = characteristic.canNotify
        var properties: [String: DBusValue] = [
          "UUID": .string(characteristic.uuid), "Service": .objectPath(servicePath), "Value": .bytes([]),
          "Flags": .strings(characteristic.flags), "MTU": .uint16(UInt16(mtu)),
        ]
        if notifies {
          properties["Notifying"] = .boolean(sessions[characteristic.uuid]?.isOn ?? false)
          properties["NotifyAcquired"] = .boolean(sessions[characteristic.uuid]?.socket != nil)
        }
        if characteristic.flags.contains("write-without-response") {
          properties["WriteAcquired"] = .boolean(writeSockets[characteristic.uuid] != nil)
        }
        objects.append((path, "org.bluez.GattCharacteristic1", properties))
        handle += 2
        let own =
          (notifies ? [SimulatedService.Descriptor(SimulatedService.assigned("2902"), [0, 0])] : [])
          + characteristic.descriptors
        for descriptor in own {
          guard let descriptorPath = path.appending("desc" + hexadecimal(handle)) else { continue }
          objects.append(
            (
              descriptorPath, "org.bluez.GattDescriptor1",
              [
                "UUID": .string(descriptor.uuid), "Characteristic": .objectPath(path), "Value": .bytes([]),
              ]
            ))
          handle += 1
        }
      }
    }
    return objects
  }

  func characteristic(at path: ObjectPath) -> SimulatedService.Characteristic? {
    let uuid = serviceObjects().first { $0.path == path }?.properties["UUID"]?.string
    return cachedServices?.flatMap(\.characteristics).first { $0.uuid == uuid }
  }

  /// The value of a descriptor, nil for an object that is none.
  func descriptor(at path: ObjectPath) -> [UInt8]? {
    guard let parent = path.parent, let characteristic = characteristic(at: parent),
      let uuid = serviceObjects().first(where: { $0.path == path })?.properties["UUID"]?.string
    else { return nil }
    if let own = characteristic.descriptors.first(where: { $0.uuid == uuid }) { return own.value }
    return [sessions[characteristic.uuid]?.isOn == true ? 1 : 0, 0]
  }

  func path(ofCharacteristic uuid: String) -> ObjectPath? {
    serviceObjects().first { $0.properties["UUID"] == .string(uuid) }?.path
  }

  func properties() -> [String: DBusValue] {
    var properties: [String: DBusValue] = [
      "Address": .string(address), "AddressType": .string(isClassicToo ? "public" : "random"),
      "Alias": .string(peripheral.advertisedName ?? address.split(separator: ":").joined(separator: "-")),
      "Paired": .boolean(isPaired), "Trusted": .boolean(false), "Blocked": .boolean(false),
      "LegacyPairing": .boolean(false), "Connected": .boolean(isConnected),
      "ServicesResolved": .boolean(isResolved), "Adapter": .objectPath(bluez.adapterPath),
      "UUIDs": .strings(
        isClassicToo
          ? ["00001101-0000-1000-8000-00805f9b34fb"]
          : (peripheral.services.first.map { [$0.uuid] } ?? []) + advertisedServices),
    ]
    properties["Name"] = peripheral.advertisedName.map { .string($0) }
    if isClassicToo { properties["Class"] = .uint32(0x001F00) }
    if let shownRSSI { properties["RSSI"] = .int16(shownRSSI) }
    properties.merge(advertisedData()) { $1 }
    return properties
  }

  func advertisedData() -> [String: DBusValue] {
    var properties: [String: DBusValue] = [:]
    if !manufacturerData.isEmpty {
      let entries = manufacturerData.sorted { $0.key < $1.key }.map {
        DBusValue.Entry(.uint16($0.key), .variant(.bytes($0.value)))
      }
      properties["ManufacturerData"] = .dictionary(key: "q", value: "v", entries)
    }
    if !serviceData.isEmpty { properties["ServiceData"] = .properties(serviceData.mapValues { .bytes($0) }) }
    return properties
  }

  /// A part of an advertisement, as it is on the air.
  struct Part {
    var type: UInt8
    var bytes: [UInt8]
  }

  /// Those that monitors are made for.
  func parts() -> [Part] {
    let manufacturers = manufacturerData.map { company, data in
      Part(type: 0xFF, bytes: [UInt8(company & 0xFF), UInt8(company >> 8)] + data)
    }
    let services = serviceData.compactMap { uuid, data -> Part? in
      guard let number = UInt16(uuid.dropFirst(4).prefix(4), radix: 16) else { return nil }
      return Part(type: 0x16, bytes: [UInt8(number & 0xFF), UInt8(number >> 8)] + data)
    }
    return manufacturers + services
  }

  private func hexadecimal(_ handle: Int) -> String {
    let digits = String(handle, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
