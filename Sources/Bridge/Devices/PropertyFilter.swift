import DeviceModel

/// Holds back small or frequent changes of a property, as the owner asked.
struct PropertyFilter: Hashable, Sendable {
  /// In the property's unit; smaller changes are held back until they add up.
  var minimumChange: Double?
  /// A change that comes sooner after the last one waits until this time is over; the newest counts.
  var minimumInterval: Duration?
  private var lastPassed: Duration?

  init(minimumChange: Double? = nil, minimumInterval: Duration? = nil) {
    self.minimumChange = minimumChange
    self.minimumInterval = minimumInterval
  }

  enum Verdict: Hashable, Sendable {
    case pass, drop
    /// To be reported at this uptime.
    case hold(until: Duration)
  }

  mutating func judge(_ new: Value, after old: Value, at now: Moment) -> Verdict {
    if let minimumChange, let old = old.asNumber, let new = new.asNumber, abs(new - old) < minimumChange {
      return .drop
    }
    if let minimumInterval, let lastPassed, new != .unknown, now.uptime - lastPassed < minimumInterval {
      return .hold(until: lastPassed + minimumInterval)
    }
    lastPassed = now.uptime
    return .pass
  }
}

extension Value {
  var asNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
