import DeviceModel

/// Which devices other bridges on the same base topic serve.
struct DeviceClaims {
  private var byBridge: [String: Set<String>] = [:]

  /// Bridges remembered at most; more are not looked at. Nor are more ids of one than it can have devices.
  private static let limit = 64
  static let mostDevices = 1000

  /// Takes a bridge's list, an empty one where it was cleared; returns the ids that it did not have before, and
  /// those that it has no more.
  mutating func update(bridge: String, ids: Set<String>) -> (new: [String], gone: [String]) {
    let old = byBridge[bridge] ?? []
    if ids.isEmpty {
      byBridge[bridge] = nil
    } else {
      guard !old.isEmpty || byBridge.count < Self.limit else { return ([], []) }
      byBridge[bridge] = ids
    }
    return (ids.subtracting(old).sorted(), old.subtracting(ids).sorted())
  }

  func bridges(serving id: String) -> [String] { byBridge.filter { $0.value.contains(id) }.keys.sorted() }

  /// The ids in a payload of `bridge/<name>/devices`.
  static func ids(in payload: Value) -> Set<String> {
    guard case .object(let members) = payload, case .list(let list)? = members["devices"] else { return [] }
    return Set(
      list.prefix(mostDevices).compactMap {
        guard case .object(let device) = $0, case .text(let id)? = device["id"] else { return nil }
        return id
      })
  }
}
