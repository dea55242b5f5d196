import DeviceModel
import JSON

extension ShownState {
  /// What a bridge says of itself and its devices, below `<base>/bridge/`.
  mutating func receiveBridge(_ levels: [String], _ payload: [UInt8], at time: String) -> [Change] {
    guard levels.count >= 2, !levels[0].isEmpty else { return [] }
    let name = levels[0]
    switch levels.dropFirst() {
    case ["state"]: return receiveState(name, String(decoding: payload, as: UTF8.self))
    case ["event"]: return receiveEvent("bridge", payload, at: time)
    case ["info"]: receiveInfo(name, object(payload))
    case ["devices"]: return receiveDevices(object(payload))
    case ["health"]: return receiveHealth(name, object(payload))
    case ["response", "health"]:
      guard case .object(let data)? = object(payload)?["data"] else { return [] }
      return receiveHealth(name, data)
    default: break
    }
    return []
  }

  private func object(_ payload: [UInt8]) -> Value.Members? {
    guard case .object(let members)? = try? JSON.parse(payload) else { return nil }
    return members
  }

  private mutating func receiveState(_ name: String, _ text: String) -> [Change] {
    guard let index = bridgeIndex(of: name), bridges[index].state != text else { return [] }
    bridges[index].state = text
    return [.bridge(name, text)]
  }

  private mutating func receiveInfo(_ name: String, _ members: Value.Members?) {
    guard let members, let index = bridgeIndex(of: name) else { return }
    bridges[index].version = members["version"]?.asText
    if case .object(let mqtt)? = members["mqtt"] { bridges[index].server = mqtt["server"]?.asText }
  }

  private mutating func receiveDevices(_ members: Value.Members?) -> [Change] {
    guard case .list(let list)? = members?["devices"] else { return [] }
    var changes: [Change] = []
    for case .object(let device) in list {
      guard let identifier = device["id"]?.asText, let index = index(of: identifier) else { continue }
      devices[index].name = device["name"]?.asText
      devices[index].kind = device["kind"]?.asText
      changes += receiveLinks(identifier, device["links"])
    }
    return changes
  }

  private mutating func receiveHealth(_ name: String, _ members: Value.Members?) -> [Change] {
    guard let members, let index = bridgeIndex(of: name) else { return [] }
    if let uptime = members["uptime"]?.asInteger { bridges[index].uptime = uptime }
    if case .object(let memory)? = members["memory"] {
      bridges[index].residentKilobytes = memory["resident_kb"]?.asInteger
    }
    if case .object(let mqtt)? = members["mqtt"] { bridges[index].waiting = mqtt["waiting"]?.asInteger }
    guard case .object(let list)? = members["devices"] else { return [] }
    return list.pairs.flatMap { identifier, value -> [Change] in
      guard case .object(let device) = value else { return [] }
      return receiveLinks(identifier, device["links"])
    }
  }

  /// News is what connected or parted, not a counter that went on.
  private mutating func receiveLinks(_ device: String, _ value: Value?) -> [Change] {
    guard case .list(let list)? = value, let index = index(of: device) else { return [] }
    let links = list.prefix(16).compactMap { Link($0) }
    let old = devices[index].links
    devices[index].links = links
    return links.filter { link in old.first { $0.role == link.role }?.isConnected != link.isConnected }
      .map { .link(device: device, $0) }
  }
}

extension ShownState.Link {
  /// From an entry of `links` in `devices` and `health`; nil for what is none.
  init?(_ value: Value) {
    guard case .object(let members) = value, let role = members["role"]?.asText,
      let transport = members["transport"]?.asText
    else { return nil }
    self.role = role
    self.transport = transport
    isConnected = members["connected"] == true
    connects = members["connects"]?.asInteger ?? 0
    failures = members["failures"]?.asInteger ?? 0
    lastError = members["last_error"]?.asText
  }
}
