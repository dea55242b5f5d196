import DeviceModel
import JSON

/// What the broker's messages tell of bridges and devices, for a screen or a pipe.
struct ShownState {
  struct Device: Equatable {
    let identifier: String
    /// As its owner calls it, and what it is; nil before the bridge has said so.
    var name: String?
    var kind: String?
    var availability = "?"
    var links: [Link] = []
    var values: [Line] = []
    var rate = MessageRate()
  }

  struct Line: Equatable {
    let key: String
    var text: String
    /// When it became so.
    var since: String
  }

  /// One way to a board.
  struct Link: Equatable {
    var role: String
    var transport: String
    var isConnected: Bool
    var connects: Int
    var failures: Int
    var lastError: String?
  }

  struct Bridge: Equatable {
    let name: String
    var state = "?"
    var version: String?
    var server: String?
    /// Seconds.
    var uptime: Int?
    var residentKilobytes: Int?
    /// Messages that the broker has not taken yet.
    var waiting: Int?
  }

  /// One thing that is new.
  enum Change: Equatable {
    case broker(String)
    case bridge(String, String)
    case availability(device: String, String)
    case link(device: String, Link)
    case value(device: String, key: String, String)
    /// Of a device, or of a bridge.
    case event(device: String, String)
    case gone(device: String)
  }

  /// Events that are kept.
  static let keptEvents = 5
  /// Whoever may publish may invent devices: more are counted and not shown. Of one device, as many values.
  static let mostDevices = 1000
  static let mostBridges = 64
  /// The rest of a longer value is neither shown nor compared. Characters.
  static let longestText = 10_000

  /// How the connection to the broker stands; nil before anybody has said so.
  private(set) var broker: String?
  var bridges: [Bridge] = []
  var devices: [Device] = []
  private(set) var events: [String] = []
  /// What found no room.
  private(set) var leftOut = 0
  private let base: String

  init(base: String) { self.base = base }

  /// Takes one message, at `time` as a person reads it and at `uptime` on a clock that never jumps; what is new by it.
  mutating func receive(
    _ topic: String, _ payload: [UInt8], at time: String, uptime: Duration = .zero
  ) -> [Change] {
    guard topic.hasPrefix("\(base)/") else { return [] }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
      .map(String.init)
    guard levels.first != "bridge" else { return receiveBridge(Array(levels.dropFirst()), payload, at: time) }
    let changes = receiveDevice(levels, payload, at: time)
    if let place = devices.firstIndex(where: { $0.identifier == levels[0] }) {
      devices[place].rate.count(at: uptime)
    }
    return changes
  }

  mutating func brokerIs(_ text: String) -> [Change] {
    guard broker != text else { return [] }
    broker = text
    return [.broker(text)]
  }

  private mutating func receiveDevice(_ levels: [String], _ payload: [UInt8], at time: String) -> [Change] {
    let device = levels[0]
    switch levels.dropFirst() {
    case []: return receiveValues(device, payload, at: time)
    case ["availability"]: return receiveAvailability(device, String(decoding: payload, as: UTF8.self))
    case ["event"]: return receiveEvent(device, payload, at: time)
    case let rest where rest.count == 1:
      // One value by itself, of a device that is known to have it.
      let isKnown = devices.first { $0.identifier == device }?.values.contains { $0.key == rest[1] } == true
      guard isKnown else { return [] }
      return show(String(decoding: payload, as: UTF8.self), of: rest[1], of: device, at: time).map { [$0] }
        ?? []
    default: return []
    }
  }

  private mutating func receiveAvailability(_ device: String, _ text: String) -> [Change] {
    if text.isEmpty { return remove(device) }
    guard let index = index(of: device), devices[index].availability != text else { return [] }
    devices[index].availability = text
    return [.availability(device: device, text)]
  }

  private mutating func receiveValues(_ device: String, _ payload: [UInt8], at time: String) -> [Change] {
    guard let value = try? JSON.parse(payload), case .object(let members) = value,
      let index = index(of: device)
    else { return [] }
    var changes: [Change] = []
    for (key, value) in members.pairs {
      let isNew = devices[index].values.contains { $0.key == key } == false
      let change = show(Self.text(of: value), of: key, of: device, at: time)
      // That nothing is known yet is no news.
      if let change, !(isNew && value == .unknown) { changes.append(change) }
    }
    return changes
  }

  private mutating func show(
    _ text: String, of key: String, of device: String, at time: String
  ) -> Change? {
    let text = String(text.prefix(Self.longestText))
    guard let index = index(of: device) else { return nil }
    if let place = devices[index].values.firstIndex(where: { $0.key == key }) {
      if devices[index].values[place].text == text { return nil }
      devices[index].values[place] = Line(key: key, text: text, since: time)
    } else {
      guard devices[index].values.count < Self.mostDevices else {
        leftOut += 1
        return nil
      }
      devices[index].values.append(Line(key: key, text: text, since: time))
    }
    return .value(device: device, key: key, text)
  }

  mutating func receiveEvent(_ device: String, _ payload: [UInt8], at time: String) -> [Change] {
    let text = String(String(decoding: payload, as: UTF8.self).prefix(Self.longestText))
    events.append("\(time)  \(device)  \(text)")
    events.removeFirst(max(0, events.count - Self.keptEvents))
    return [.event(device: device, text)]
  }

  mutating func remove(_ device: String) -> [Change] {
    guard let index = devices.firstIndex(where: { $0.identifier == device }) else { return [] }
    devices.remove(at: index)
    return [.gone(device: device)]
  }

  /// Nil when there is no room for another one.
  mutating func index(of device: String) -> Int? {
    if let index = devices.firstIndex(where: { $0.identifier == device }) { return index }
    guard devices.count < Self.mostDevices else {
      leftOut += 1
      return nil
    }
    devices.append(Device(identifier: device))
    return devices.count - 1
  }

  /// Nil when there is no room for another one.
  mutating func bridgeIndex(of name: String) -> Int? {
    if let index = bridges.firstIndex(where: { $0.name == name }) { return index }
    guard bridges.count < Self.mostBridges else {
      leftOut += 1
      return nil
    }
    bridges.append(Bridge(name: name))
    return bridges.count - 1
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .text(let text): text
    case .unknown: "unknown"
    default: JSON.text(of: value)
    }
  }
}

extension ShownState.Change {
  /// One line, for a pipe.
  var line: String {
    switch self {
    case .broker(let text): "broker \(text)"
    case .bridge(let name, let text): "bridge \(name) is \(text)"
    case .availability(let device, let text): "\(device) is \(text)"
    case .link(let device, let link): "\(device) \(link.summary)"
    case .value(let device, let key, let text): "\(device) \(key) \(text)"
    case .event(let device, let text): "\(device) event \(text)"
    case .gone(let device): "\(device) is gone"
    }
  }
}

extension ShownState.Link {
  /// `board tcp connected, 3 connects, 1 failure: closed by the board`.
  var summary: String {
    let count = failures == 1 ? "1 failure" : "\(failures) failures"
    let failure = failures == 0 ? "" : ", \(count)\(lastError.map { ": \($0)" } ?? "")"
    return "\(role) \(transport) \(isConnected ? "connected" : "not connected")"
      + ", \(connects == 1 ? "1 connect" : "\(connects) connects")\(failure)"
  }
}
