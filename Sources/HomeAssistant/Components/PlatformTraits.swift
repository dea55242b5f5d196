import DeviceModel

extension Platform {
  /// Has a state that attributes can stand beside.
  var isState: Bool { self != .button && self != .event && self != .infrared }

  var takesCommands: Bool {
    switch self {
    case .button, .cover, .lock, .number, .select, .switch, .text: true
    case .binarySensor, .deviceTracker, .event, .infrared, .sensor: false
    }
  }

  /// Knows the key `optimistic`.
  var canAssume: Bool { takesCommands && self != .button }

  /// Is announced in a message of its own also in the form `device`: versions that do not know the platform would
  /// refuse the whole device for it. They do not listen to a topic of it. Known since 2026.11.
  var standsAlone: Bool { self == .infrared }
}

extension PropertyKind {
  /// A tracker whose place Home Assistant finds from coordinates.
  var isPosition: Bool { self == .deviceTracker(sourceType: "gps") }

  /// For kinds whose platform did not take `None` for unknown before 2024.11 but warned, showed the word, or stayed
  /// as it was: what it can be told while the entity is unavailable instead, and so is never seen.
  var standIn: String? {
    switch self {
    case .timestamp: "1970-01-01T00:00:00+00:00"
    case .enumeration, .cover: ""
    // Forgets that it was locked, but not that it was unlocking.
    case .lock: "None"
    case .sensor(let measurement) where !measurement.isNumeric:
      switch measurement.deviceClass {
      case nil: ""
      case "date": "1970-01-01"
      default: "1970-01-01T00:00:00+00:00"
      }
    default: nil
    }
  }
}

extension PropertyKind {
  /// In characters, for texts: Home Assistant drops a longer state, with an error in its log.
  var limit: Int? {
    switch self {
    case .sensor(let measurement) where !measurement.isNumeric && measurement.deviceClass == nil: 255
    case .text(let maximumLength, _): maximumLength
    default: nil
    }
  }
}

extension PropertyKind.Measurement {
  /// Home Assistant expects a number of such a sensor.
  var isNumeric: Bool {
    if unit != nil || stateClass != nil || precision != nil { return true }
    return deviceClass.map { !DeviceClasses.ofTime.contains($0) } ?? false
  }
}
