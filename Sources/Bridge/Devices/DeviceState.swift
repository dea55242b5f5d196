import DeviceModel
import JSON

/// The present values of a device's properties, and what of them is new.
struct DeviceState {
  private(set) var description: DeviceDescription
  private var indices: [PropertyKey: Int] = [:]
  private var values: [Value] = []
  private var changed: Set<Int> = []
  private var filters: [PropertyFilter?] = []
  private var held: [Int: (value: Value, until: Duration)] = [:]
  private let makeFilter: (PropertyKey) -> PropertyFilter?

  /// - Parameter filter: What the owner asked for to quieten a property; nil for none.
  init(_ description: DeviceDescription, filter: @escaping (PropertyKey) -> PropertyFilter? = { _ in nil }) {
    self.description = description
    makeFilter = filter
    rebuild(keeping: [:])
  }

  /// Properties with a value: what has a state to show.
  private var shown: [Property] = []

  subscript(key: PropertyKey) -> Value { indices[key].map { values[$0] } ?? .unknown }

  /// Takes a value; false when it is the one there was, when a filter keeps it, or for an unknown key.
  mutating func report(_ key: PropertyKey, _ value: Value, at now: Moment) -> Bool {
    guard let index = indices[key] else { return false }
    let new = shown[index].stateValue(of: value)
    guard values[index] != new else {
      held[index] = nil
      return false
    }
    switch filters[index]?.judge(new, after: values[index], at: now) ?? .pass {
    case .pass:
      held[index] = nil
      values[index] = new
      changed.insert(index)
      return true
    case .drop: return false
    case .hold(let until):
      held[index] = (value, until)
      return false
    }
  }

  /// The uptime at which ``release(at:)`` has something to report; nil when nothing is held back.
  var nextRelease: Duration? { held.values.map(\.until).min() }

  /// Reports what a filter held back until now; true when that changed anything.
  mutating func release(at now: Moment) -> Bool {
    var isChanged = false
    for (index, (value, until)) in held where until <= now.uptime {
      held[index] = nil
      if report(shown[index].key, value, at: now) { isChanged = true }
    }
    return isChanged
  }

  /// Replaces the description; values of properties that remain stay.
  mutating func describe(_ description: DeviceDescription) {
    let old = Dictionary(uniqueKeysWithValues: zip(shown.map(\.key), values))
    self.description = description
    rebuild(keeping: old)
  }

  /// The state topic's payload. `extras` come last.
  func json(extras: Value.Members = Value.Members()) -> [UInt8] {
    var members = Value.Members()
    for (property, value) in zip(shown, values) { members[property.key.text] = value }
    for (name, value) in extras.pairs { members[name] = value }
    var bytes: [UInt8] = []
    JSON.append(.object(members), to: &bytes)
    return bytes
  }

  /// Keys whose value is new since the last call, with the bare payload of each.
  mutating func takeChanged() -> [(PropertyKey, [UInt8])] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed.sorted().map { (shown[$0].key, Self.bare(values[$0])) }
  }

  /// A value alone on its topic: text without quotes, `None` for unknown.
  static func bare(_ value: Value) -> [UInt8] {
    switch value {
    case .text(let text): return Array(text.utf8)
    case .unknown: return Array("None".utf8)
    default:
      var bytes: [UInt8] = []
      JSON.append(value, to: &bytes)
      return bytes
    }
  }

  private mutating func rebuild(keeping old: [PropertyKey: Value]) {
    shown = description.properties.filter(\.hasState)
    indices = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1.key, $0) })
    values = shown.map { old[$0.key] ?? .unknown }
    filters = shown.map { makeFilter($0.key) }
    changed = Set(values.indices)
    held = [:]
  }
}

extension Property {
  /// Buttons, events, infra-red codes and bare command topics have none.
  var hasState: Bool {
    switch kind {
    case .button, .event, .infraredEmitter, .infraredReceiver, .command: false
    default: true
    }
  }
}
