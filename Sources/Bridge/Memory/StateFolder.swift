import Glibc

/// Where the bridge keeps what it must remember: `$STATE_DIRECTORY` (systemd), else `$XDG_STATE_HOME/sketch2mqtt`,
/// else `~/.local/state/sketch2mqtt`.
enum StateFolder {
  /// Nil when none of these is set.
  static func path(environment: (String) -> String?) -> String? {
    // systemd joins several folders by colons; ours is the first.
    if let folder = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return "\(folder)/sketch2mqtt" }
    if let home = environment("HOME"), home.hasPrefix("/") { return "\(home)/.local/state/sketch2mqtt" }
    return nil
  }
}
