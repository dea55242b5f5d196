import BlueZ
import DeviceModel
import EventLoop
import HomeAssistant
import JSON
import Links
import MQTT

extension Bridge {
  /// `bridge/<bridge>/info`: version and settings, without a secret.
  func publishInfo() {
    var members = Value.Members([
      ("version", .text(BridgeSettings.version)), ("bridge", .text(topics.bridge)),
      ("base_topic", .text(topics.base)),
      ("log_level", .text(log.level.rawValue)),
    ])
    members["mqtt"] = .object(
      Value.Members([
        ("server", session.map { .text($0.server.description) } ?? .unknown),
        ("version", session.map { .text($0.version.description) } ?? .unknown),
      ]))
    members["homeassistant"] = .object(
      Value.Members([
        ("discovery", .text(settings.discoveryForm.rawValue)), ("prefix", .text(settings.prefix)),
      ]))
    if let bluetooth = linkFactory.bluetooth { members["bluetooth"] = bluetooth.report }
    members["output"] = .text(settings.output.rawValue)
    members["devices"] = .integer(devices.count)
    infoTopic.set(JSON.bytes(of: .object(members)))
  }

  /// `bridge/<bridge>/devices`: what there is, and which retained topics are ours. Where that is more than a message
  /// may have, devices are told without their properties and links.
  func publishDevices() {
    keepMemory()
    var bytes = JSON.bytes(of: devicesReport(isAbridged: false))
    if bytes.count > BrokerSettings.payloadLimit {
      let size = bytes.count
      bytes = JSON.bytes(of: devicesReport(isAbridged: true))
      tellAbridged(size: size, abridged: bytes.count)
    }
    devicesTopic.set(bytes)
  }

  private func tellAbridged(size: Int, abridged: Int) {
    guard !isAbridgedTold else { return }
    isAbridgedTold = true
    if abridged <= BrokerSettings.payloadLimit {
      log.warning(
        "\(devicesTopic.topic) would have \(size) bytes: devices are told there without their properties")
    } else {
      log.error("\(devicesTopic.topic) would have \(abridged) bytes and is not published")
    }
  }

  private func devicesReport(isAbridged: Bool) -> Value {
    let added = addedDevices.ids
    let list = order.compactMap { devices[$0.text] }.map { device in
      var members = identity(of: device, isAdded: added.contains(device.id))
      if !isAbridged { addDetails(of: device, to: &members) }
      return Value.object(members)
    }
    var members = Value.Members([
      ("devices", .list(list)), ("topics", .list(memory.content.topics.map { .text($0) })),
      ("discovery", discovery.record.value),
    ])
    if isAbridged { members["abridged"] = true }
    return .object(members)
  }

  private func identity(of device: DeviceRuntime, isAdded: Bool) -> Value.Members {
    var members = Value.Members([
      ("id", .text(device.id.text)), ("name", .text(device.setup.name)),
      ("kind", .text(device.setup.kind.name)), ("available", .boolean(device.isAvailable)),
      ("last_seen", device.lastSeen.map { .text($0.iso8601) } ?? .unknown),
    ])
    if isAdded { members["added"] = true }
    let others = claims.bridges(serving: device.id.text)
    if !others.isEmpty { members["also_served_by"] = .list(others.map { .text($0) }) }
    return members
  }

  private func addDetails(of device: DeviceRuntime, to members: inout Value.Members) {
    members["properties"] = .list(device.description.properties.map(\.report))
    members["events"] = .list(device.description.eventTypes.map { .text($0) })
    members["links"] = .list(device.links.map(\.report))
  }

  func publishHealth() { publisher.publishEvent(health(), to: topics.bridgeHealth) }

  /// What `bridge/<bridge>/health` says.
  func health() -> Value {
    var members = Value.Members()
    members["uptime"] = .integer(Int(startedAt.duration(to: .now).components.seconds))
    members["memory"] = ProcessMemory.current.report
    members["mqtt"] = brokerReport
    var list = Value.Members()
    for device in order.compactMap({ devices[$0.text] }) {
      list[device.id.text] = .object([
        "available": .boolean(device.isAvailable), "links": .list(device.links.map(\.report)),
      ])
    }
    members["devices"] = .object(list)
    members["discovered"] = discovered
    return .object(members)
  }

  private var brokerReport: Value {
    var members = Value.Members()
    members["connected"] = .boolean(publisher.isConnected)
    members["waiting"] = .integer(publisher.waiting)
    guard let counters = client?.counters else { return .object(members) }
    members["queued"] = .integer(counters.queued)
    members["published"] = .integer(counters.published)
    members["received"] = .integer(counters.received)
    members["refused"] = .integer(counters.refused)
    members["dropped"] = .integer(counters.dropped + publisher.dropped)
    members["declined"] = .integer(counters.declined)
    members["oversized"] = .integer(counters.oversized)
    members["reconnects"] = .integer(counters.reconnects)
    members["last_error"] = counters.lastError.map { .text($0) } ?? .unknown
    return .object(members)
  }

  func publishLog(_ level: LogLevel, _ text: String) {
    guard publisher.isConnected else { return }
    publisher.publishEvent(
      .object(Value.Members([("level", .text(level.rawValue)), ("message", .text(text))])),
      to: topics.bridgeLog)
  }
}

extension Publisher {
  func publishEvent(_ value: Value, to topic: String, properties: MessageProperties = MessageProperties()) {
    publishEvent(JSON.bytes(of: value), to: topic, properties: properties)
  }
}

extension JSON {
  static func bytes(of value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }
}

extension BluetoothStatus {
  /// For `info`: what is there, and in words an owner can act on, what is missing.
  fileprivate var report: Value {
    [
      "adapter": name.map { .text($0) } ?? .unknown, "address": address.map { .text($0) } ?? .unknown,
      "state": .text(adapter.rawValue), "problem": problem.map { .text($0.description) } ?? .unknown,
    ]
  }
}

extension ProcessMemory {
  fileprivate var report: Value {
    ["resident_kb": .integer(residentKilobytes), "private_kb": .integer(privateKilobytes)]
  }
}

extension Property {
  /// This property as data, for `bridge/<bridge>/devices`.
  fileprivate var report: Value {
    var members = Value.Members([("key", .text(key.text)), ("kind", .text(kind.word))])
    if let name { members["name"] = .text(name) }
    if !verbs.isEmpty { members["verbs"] = .list(verbs.map { .text($0.rawValue) }) }
    if category != .primary { members["category"] = .text(category.rawValue) }
    for (name, value) in kind.facts.pairs { members[name] = value }
    if isAssumed { members["assumed"] = true }
    return .object(members)
  }
}

extension PropertyKind {
  /// Home Assistant's word for the kind.
  fileprivate var word: String {
    switch self {
    case .sensor, .enumeration, .timestamp: "sensor"
    case .binarySensor: "binary_sensor"
    case .switch: "switch"
    case .number: "number"
    case .select: "select"
    case .button: "button"
    case .text: "text"
    case .lock: "lock"
    case .cover: "cover"
    case .event: "event"
    case .deviceTracker: "device_tracker"
    case .infraredEmitter, .infraredReceiver: "infrared"
    case .structured: "json"
    case .command: "command"
    }
  }

  fileprivate var facts: Value.Members {
    var facts = Value.Members()
    switch self {
    case .sensor(let measurement): facts.add(measurement)
    case .number(let range, let measurement):
      facts.add(measurement)
      facts["minimum"] = .number(range.minimum)
      facts["maximum"] = .number(range.maximum)
      facts["step"] = .number(range.step)
    case .enumeration(let words), .select(let words): facts["options"] = .list(words.map { .text($0) })
    case .timestamp: facts["device_class"] = "timestamp"
    case .binarySensor(let deviceClass), .switch(let deviceClass), .button(let deviceClass),
      .cover(let deviceClass, _, _):
      facts["device_class"] = deviceClass.map { .text($0) }
    case .event(let types, let deviceClass):
      facts["types"] = .list(types.map { .text($0) })
      facts["device_class"] = deviceClass.map { .text($0) }
    case .text(let maximumLength, _): facts["maximum_length"] = .integer(maximumLength)
    case .infraredEmitter: facts["schema"] = "emitter"
    case .infraredReceiver: facts["schema"] = "receiver"
    case .lock, .deviceTracker, .structured, .command: break
    }
    return facts
  }
}

extension Value.Members {
  fileprivate mutating func add(_ measurement: PropertyKind.Measurement) {
    self["unit"] = measurement.unit.map { .text($0) }
    self["device_class"] = measurement.deviceClass.map { .text($0) }
  }
}

extension LinkRuntime {
  /// This link as data, for `devices` and `health`.
  var report: Value {
    .object(
      Value.Members([
        ("role", .text(role.text)), ("transport", .text(transport.rawValue)), ("connected", .boolean(isUp)),
        ("connects", .integer(counters.connects)), ("failures", .integer(counters.failures)),
        ("bytes_received", .integer(counters.bytesReceived)), ("bytes_sent", .integer(counters.bytesSent)),
        ("undecodable", .integer(counters.undecodable)),
        ("last_error", lastFailure.map { .text($0.description) } ?? .unknown),
      ]))
  }
}
