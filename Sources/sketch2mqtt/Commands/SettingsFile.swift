import Adapters
import Bridge
import Configuration
import DeviceModel
import Glibc

/// The configuration file of this start, read as often as it is asked for.
struct SettingsFile {
  let path: String

  /// - Parameter path: nil takes the first of the usual places at which there is a file.
  init(_ path: String?) throws(Missing) {
    if let path {
      self.path = path
      return
    }
    let candidates = ConfigurationPlace.candidates(environment: Self.environment)
    guard let found = candidates.first(where: { access($0, F_OK) == 0 }) else {
      throw Missing(candidates: candidates)
    }
    self.path = found
  }

  struct Missing: Error, CustomStringConvertible {
    var candidates: [String]
    var description: String {
      "no configuration: looked at \(candidates.joined(separator: ", ")); see --config"
    }
  }

  struct Content {
    /// nil when one of the problems is an error.
    var settings: BridgeSettings?
    var configuration: Configuration?
    var problems: [ConfigurationProblem]
  }

  func read() -> Content {
    let (configuration, problems) = Configuration.load(path: path, kinds: Registry.kinds)
    guard let configuration else { return Content(problems: problems) }
    let (settings, further) = BridgeSettings.make(
      from: configuration, kinds: Registry.kinds, environment: Self.environment)
    return Content(settings: settings, configuration: configuration, problems: problems + further)
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
