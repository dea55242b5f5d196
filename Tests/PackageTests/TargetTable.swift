/// Which module may import which: the shape of the program. A new arrow is a decision, so it is made here first.
enum TargetTable {
  static let mayImport: [String: Set<String>] = [
    "EventLoop": ["CLinux"],
    "DeviceModel": [],
    "JSON": ["CJansson", "DeviceModel"],
    "Cryptography": ["CCrypto"],
    "Adapters": ["DeviceModel", "JSON", "Cryptography"],
    "DBus": ["CDBus", "EventLoop"],
    "BlueZ": ["DBus", "DeviceModel", "EventLoop"],
    "Links": ["BlueZ", "DeviceModel", "EventLoop", "CLinux"],
    "MQTT": ["CMosquitto", "EventLoop"],
    "HomeAssistant": ["DeviceModel", "JSON"],
    "Configuration": ["CYAML", "DeviceModel"],
    "Bridge": [
      "Adapters", "BlueZ", "Configuration", "Cryptography", "DBus", "DeviceModel", "EventLoop",
      "HomeAssistant",
      "JSON", "Links", "MQTT",
    ],
    "Simulation": ["CLinux", "Cryptography", "DBus", "EventLoop"],
    "sketch2mqtt": [
      "Adapters", "Bridge", "Configuration", "DeviceModel", "EventLoop", "JSON", "Simulation",
    ],
  ]

  /// Wrappers of system libraries: they import nothing.
  static let systemLibraries: Set<String> = ["CMosquitto", "CDBus", "CYAML", "CJansson", "CCrypto", "CLinux"]

  /// What comes with the toolchain and costs the shipped program nothing. Foundation is not among it.
  static let toolchain: Set<String> = ["Glibc", "Synchronization"]

  /// What of `imports`, found in `target`, the table does not allow.
  static func violations(of imports: Set<String>, in target: String) -> Set<String> {
    guard let allowed = mayImport[target] else { return imports }
    return imports.subtracting(allowed).subtracting(toolchain)
  }
}
