public import DeviceModel

/// Why Home Assistant would refuse an entity, drop its state or misread it.
public struct DiscoveryProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// nil for the device's events.
  public var property: PropertyKey?
  public var reason: Reason

  init(_ property: PropertyKey?, _ reason: Reason) {
    self.property = property
    self.reason = reason
  }

  public enum Reason: Hashable, Sendable {
    case unknownDeviceClass(String, allowed: [String])
    /// nil stands for no unit, also among those allowed.
    case unit(String?, deviceClass: String, allowed: [String?])
    case blankUnit
    case stateClass(String, deviceClass: String, allowed: [String])
    case negativePrecision(Int)
    /// Sensors and binary sensors are not for setting things up.
    case categoryConfig
    case noOptions
    case repeatedOption(String)
    /// Empty, longer than a state may be, or a word that means unknown.
    case option(String)
    case range(minimum: Double, maximum: Double)
    case step(Double)
    /// In characters; 1 to 255.
    case textLength(Int)
    case emptyPattern
    case icon(String)
    case notSettable
    case sourceType(String, allowed: [String])
    /// Another property has this key once it is made fit for an id.
    case keyTaken(String)
    /// Another device's entity has this unique id.
    case identityTaken(String)
  }

  public var description: String { "\(property?.text ?? "events"): \(reason)" }
}

extension DiscoveryProblem.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownDeviceClass(let name, let allowed):
      "there is no device class '\(name)' here, only \(allowed.joined(separator: ", "))"
    case .unit(let unit, let deviceClass, let allowed):
      "\(Self.name(unit)) does not fit the device class \(deviceClass), which takes "
        + allowed.map(Self.name).joined(separator: ", ")
    case .blankUnit: "a unit must not be blank"
    case .stateClass(let stateClass, let deviceClass, let allowed):
      "the state class \(stateClass) does not fit the device class \(deviceClass), which takes "
        + (allowed.isEmpty ? "none" : allowed.joined(separator: ", "))
    case .negativePrecision(let precision): "\(precision) decimals cannot be shown"
    case .categoryConfig: "what is only read cannot have the category config"
    case .noOptions: "it needs at least one option"
    case .repeatedOption(let option): "the option '\(option)' is there twice"
    case .option(let option):
      "the option '\(option.prefix(40))' is empty, longer than 255 characters, or means unknown"
    case .range(let minimum, let maximum): "\(minimum) to \(maximum) is no range"
    case .step(let step): "the step must be 0.001 or more, not \(step)"
    case .textLength(let length): "a text has at most 1 to 255 characters, not \(length)"
    case .emptyPattern: "a pattern must not be empty"
    case .icon(let icon): "an icon is written 'mdi:door', not '\(icon)'"
    case .notSettable: "it must be settable"
    case .sourceType(let sourceType, let allowed):
      "there is no source type '\(sourceType)', only \(allowed.joined(separator: ", "))"
    case .keyTaken(let key): "another property has the key '\(key)' in Home Assistant"
    case .identityTaken(let uniqueID): "another device's entity has the unique id '\(uniqueID)'"
    }
  }

  private static func name(_ unit: String?) -> String { unit.map { "the unit '\($0)'" } ?? "no unit" }
}
