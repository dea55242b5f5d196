/// Where the configuration is when no option says so.
enum ConfigurationPlace {
  static let system = "/etc/sketch2mqtt/config.yaml"

  /// The usual places, as the help and the documentation name them.
  static let explained = [
    "$XDG_CONFIG_HOME/sketch2mqtt/config.yaml",
    "~/.config/sketch2mqtt/config.yaml (when XDG_CONFIG_HOME is not set)",
    system,
  ]

  /// The places to look at, in order. Relative paths in XDG_CONFIG_HOME count as unset, as its specification wants.
  static func candidates(environment: (String) -> String?) -> [String] {
    var places: [String] = []
    if let directory = environment("XDG_CONFIG_HOME"), directory.hasPrefix("/") {
      places.append("\(directory)/sketch2mqtt/config.yaml")
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      places.append("\(home)/.config/sketch2mqtt/config.yaml")
    }
    return places + [system]
  }
}
