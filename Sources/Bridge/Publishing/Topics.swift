import DeviceModel

/// What the bridge listens to, and what a topic that arrives means.
extension Topics {
  /// The device lists of this bridge and of others on the same base topic.
  var allBridgeDevices: String { "\(base)/bridge/+/devices" }
  var allRequests: String { request("#") }

  /// What a device's commands arrive on. `verbs` beside `set`, and whether keys of two levels exist, come from its
  /// description.
  func commandFilters(
    _ device: DeviceID, _ description: DeviceDescription, isRaw: Bool = false
  ) -> [String] {
    var filters = ["\(base)/\(device)/set", "\(base)/\(device)/get"]
    if isRaw { filters.append("\(base)/\(device)/tx") }
    var tails: Set<String> = ["+/set"]
    for property in description.properties {
      let levels = property.key.text.contains("/") ? "+/+" : "+"
      for verb in property.verbs { tails.insert("\(levels)/\(verb.rawValue)") }
    }
    filters += tails.sorted().map { "\(base)/\(device)/\($0)" }
    return filters
  }

  /// The id of the device to which a topic belongs; nil for one of the bridge or of others.
  func device(of topic: String) -> String? {
    guard topic.hasPrefix("\(base)/") else { return nil }
    let id = topic.dropFirst(base.count + 1).prefix { $0 != "/" }
    return id == "bridge" || id.isEmpty ? nil : String(id)
  }

  /// What a topic that arrived means; nil for one that is none of ours.
  func destination(of topic: String) -> Destination? {
    guard topic.hasPrefix(base), topic.utf8.dropFirst(base.utf8.count).first == UInt8(ascii: "/") else {
      return nil
    }
    // Every command passes here: no more pieces are made than are wanted.
    let rest = topic.utf8.dropFirst(base.utf8.count + 1)
    let slash = UInt8(ascii: "/")
    guard let first = rest.firstIndex(of: slash), let lastSlash = rest.lastIndex(of: slash) else {
      return nil
    }
    let device = String(Substring(rest[..<first]))
    if device == "bridge" {
      return bridgeDestination(
        rest.split(separator: slash, omittingEmptySubsequences: false).map { String(Substring($0)) })
    }
    let last = String(Substring(rest[rest.index(after: lastSlash)...]))
    if first == lastSlash {
      switch last {
      case "set": return .set(device)
      case "get": return .get(device)
      case "tx": return .transmit(device)
      default: return nil
      }
    }
    guard let verb = Property.Verb(rawValue: last) else { return nil }
    return .property(device, String(Substring(rest[rest.index(after: first)..<lastSlash])), verb)
  }

  enum Destination: Hashable, Sendable {
    case set(String)
    case get(String)
    case transmit(String)
    case property(String, String, Property.Verb)
    case ownState
    case request(String)
    case devices(bridge: String)
  }

  private func bridgeDestination(_ levels: [String]) -> Destination? {
    guard levels.count >= 3 else { return nil }
    if levels.count == 3, levels[2] == "devices" { return .devices(bridge: levels[1]) }
    guard levels[1] == bridge else { return nil }
    if levels.count == 3, levels[2] == "state" { return .ownState }
    if levels.count >= 4, levels[2] == "request" { return .request(levels[3...].joined(separator: "/")) }
    return nil
  }
}
