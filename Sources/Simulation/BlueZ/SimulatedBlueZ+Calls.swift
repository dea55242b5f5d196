import DBus
import EventLoop

/// Calls by object and interface, and the standard interfaces.
extension SimulatedBlueZ {
  func answer(_ call: IncomingCall) {
    waits.lookAtTurnEnd()
    if let fault = nextFaults[call.member]?.first {
      nextFaults[call.member]?.removeFirst()
      return call.fail(fault)
    }
    switch call.interface {
    case "org.freedesktop.DBus.ObjectManager": answerObjectManager(call)
    case "org.freedesktop.DBus.Properties": answerProperties(call)
    case "org.freedesktop.DBus.Introspectable": introspect(call)
    case "org.bluez.AgentManager1" where call.path == Self.root: call.reply()
    case "org.bluez.Adapter1" where isPlugged && call.path == adapterPath: answerAdapter(call)
    case "org.bluez.AdvertisementMonitorManager1"
    where offersMonitors && isPlugged && call.path == adapterPath:
      answerMonitorManager(call)
    case "org.bluez.Device1":
      guard let board = knownBoard(at: call.path) else { return call.fail(.unknownObject) }
      board.answer(call)
    case "org.bluez.GattCharacteristic1":
      guard let device = call.path.parent?.parent, let board = knownBoard(at: device), board.areServicesShown,
        let characteristic = board.characteristic(at: call.path)
      else { return call.fail(.unknownObject) }
      board.answer(call, to: characteristic)
    case "org.bluez.GattDescriptor1":
      guard let device = call.path.parent?.parent?.parent, let board = knownBoard(at: device),
        board.areServicesShown, let value = board.descriptor(at: call.path)
      else { return call.fail(.unknownObject) }
      board.answerDescriptor(call, value)
    default: call.fail(.unknownObject)
    }
  }

  private func knownBoard(at path: ObjectPath) -> SimulatedBoard? {
    guard isPlugged else { return nil }
    return boards.first { $0.isKnown && $0.path == path }
  }

  // MARK: Objects

  typealias Object = (path: ObjectPath, interfaces: [String: [String: DBusValue]])

  func managedObjects() -> [Object] {
    var objects: [Object] = [(Self.root, ["org.bluez.AgentManager1": [:]])]
    guard isPlugged else { return objects }
    var interfaces = ["org.bluez.Adapter1": adapterProperties()]
    if offersMonitors {
      interfaces["org.bluez.AdvertisementMonitorManager1"] = [
        "SupportedMonitorTypes": .strings(["or_patterns"]), "SupportedFeatures": .strings([]),
      ]
    }
    objects.append((adapterPath, interfaces))
    for board in boards where board.isKnown {
      objects.append((board.path, ["org.bluez.Device1": board.properties()]))
      guard board.areServicesShown else { continue }
      for object in board.serviceObjects() {
        objects.append((object.path, [object.interface: object.properties]))
      }
    }
    return objects
  }

  private func adapterProperties() -> [String: DBusValue] {
    [
      "Address": .string(adapterAddress), "AddressType": .string("public"), "Name": .string("simulation"),
      "Alias": .string("simulation"), "Class": .uint32(0), "Powered": .boolean(isPowered),
      "Discoverable": .boolean(false), "DiscoverableTimeout": .uint32(180), "Pairable": .boolean(false),
      "PairableTimeout": .uint32(0), "Discovering": .boolean(isDiscovering),
      "UUIDs": .strings(["00001800-0000-1000-8000-00805f9b34fb"]), "Modalias": .string("usb:v1D6Bp0246d0542"),
      "Roles": .strings(["central", "peripheral"]),
    ]
  }

  private func answerObjectManager(_ call: IncomingCall) {
    guard call.path == .root, call.member == "GetManagedObjects" else { return call.fail(.unknownMethod) }
    let entries = managedObjects().map { DBusValue.Entry(.objectPath($0.path), Self.value($0.interfaces)) }
    call.reply([.dictionary(key: "o", value: "a{sa{sv}}", entries)])
  }

  private func answerProperties(_ call: IncomingCall) {
    let words = call.arguments.compactMap(\.string)
    guard let interface = words.first,
      let properties = managedObjects().first(where: { $0.path == call.path })?.interfaces[interface]
    else { return call.fail(.unknownObject) }
    switch call.member {
    case "GetAll": call.reply([.properties(properties)])
    case "Get":
      guard words.count == 2, let value = properties[words[1]] else {
        return call.fail(BlueZFault("org.freedesktop.DBus.Error.InvalidArgs", "No such property"))
      }
      call.reply([.variant(value)])
    case "Set":
      call.reply()
      if interface == "org.bluez.Adapter1", words.last == "Powered",
        case .variant(.boolean(let isOn))? = call.arguments.last
      {
        if isOn { powerOn() } else { powerOff() }
      }
    default: call.fail(.unknownMethod)
    }
  }

  private func introspect(_ call: IncomingCall) {
    let objects = managedObjects()
    let interfaces = objects.first { $0.path == call.path }?.interfaces.keys.sorted() ?? []
    let prefix = call.path == .root ? "/" : call.path.text + "/"
    let children = Set(
      objects.filter { $0.path.isBelow(call.path) }.compactMap { object in
        object.path.text.dropFirst(prefix.utf8.count).split(separator: "/").first.map(String.init)
      })
    call.reply([
      .string(
        "<node>" + interfaces.map { "<interface name=\"\($0)\"/>" }.joined()
          + children.sorted().map { "<node name=\"\($0)\"/>" }.joined() + "</node>")
    ])
  }
}
