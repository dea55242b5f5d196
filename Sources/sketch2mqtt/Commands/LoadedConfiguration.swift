import Adapters
import Bridge
import Configuration
import DeviceModel
import Glibc

/// A configuration file as far as it could be read, with everything that is wrong with it.
struct LoadedConfiguration {
  /// As the owner named it, or one of the usual places.
  let path: String
  /// nil when something is wrong with it.
  let settings: BridgeSettings?
  let configuration: Configuration?
  let problems: [ConfigurationProblem]

  /// - Parameter environment: where secrets, and the folder of the bridge's state, are looked for.
  init(path: String, environment: (String) -> String? = Configuration.processEnvironment) {
    self.path = path
    var (configuration, problems) = Configuration.load(
      path: path, kinds: Registry.kinds, environment: environment)
    var settings: BridgeSettings?
    if let whole = configuration {
      let made = BridgeSettings.make(from: whole, kinds: Registry.kinds, environment: environment)
      settings = made.settings
      problems += made.problems
      if settings == nil { configuration = nil }
    }
    self.settings = settings
    self.configuration = configuration
    self.problems = problems
  }

  var errors: [ConfigurationProblem] { problems.filter { $0.severity == .error } }

  /// `config.yaml: 2 mistakes`.
  var verdict: String {
    switch errors.count {
    case 0: "\(path): no mistakes"
    case 1: "\(path): 1 mistake"
    default: "\(path): \(errors.count) mistakes"
    }
  }
}

extension ConfigurationPlace {
  /// The file to read: the one that was named, else the first of the usual ones that exists.
  static func find(_ named: String?) throws(NoConfiguration) -> String {
    if let named { return named }
    let candidates = candidates(environment: Configuration.processEnvironment)
    guard let found = candidates.first(where: { access($0, F_OK) == 0 }) else {
      throw NoConfiguration(places: candidates)
    }
    return found
  }
}

/// None of the usual places has a configuration.
struct NoConfiguration: Error, CustomStringConvertible {
  let places: [String]

  var description: String {
    "there is no configuration: neither --config nor \(places.joined(separator: " nor "))"
  }
}
