/// A configuration file as a test wants it.
struct ConfigurationText: Sendable {
  /// Ports of brokers on 127.0.0.1, or whole addresses.
  var servers: [String]
  /// Further lines of these sections, `key: value`.
  var mqtt: [String] = []
  var homeAssistant: [String] = []
  var top: [String] = []
  var devices: [String] = []

  /// A plug on `port` of this machine; `link` and `extra` hold further keys, each after a comma.
  static func plug(_ name: String = "Plug", on port: UInt16, link: String = "", extra: String = "") -> String
  {
    """
    { name: \(name), kind: power_plug, link: { tcp: "127.0.0.1:\(port)", poll: 1s\(link) }, \
    options: { slots: 10 }\(extra) }
    """
  }

  var text: String {
    var lines = ["mqtt:", "  servers: [\(servers.map { "\"\($0)\"" }.joined(separator: ", "))]"]
    lines += mqtt.map { "  \($0)" }
    if !homeAssistant.isEmpty { lines += ["homeassistant:"] + homeAssistant.map { "  \($0)" } }
    lines += top
    lines.append(devices.isEmpty ? "devices: []" : "devices:")
    lines += devices.map { "  - \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
