import Bridge

/// The program's own version.
enum Version {
  static let current = BridgeSettings.version
}
