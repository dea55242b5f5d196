import Configuration
import DeviceModel

/// `check`: what is wrong with a configuration, else what would run.
enum Check {
  static func perform(configuration named: String?) -> ExitStatus {
    let path: String
    do throws(NoConfiguration) {
      path = try ConfigurationPlace.find(named)
    } catch {
      return ExitStatus.configuration.because("\(error)")
    }
    let loaded = LoadedConfiguration(path: path)
    StandardStream.error.write(loaded.problems.map { "\($0)\n" }.joined())
    guard let configuration = loaded.configuration else {
      return ExitStatus.configuration.because(loaded.verdict)
    }
    StandardStream.output.write(summary(of: configuration, verdict: loaded.verdict))
    return .success
  }

  /// What would run.
  static func summary(of configuration: Configuration, verdict: String) -> String {
    let servers = configuration.mqtt.servers.map(\.description).joined(separator: ", ")
    let discovery = configuration.homeAssistant.discovery
    var rows = [
      ["broker", servers],
      ["topics", "\(configuration.mqtt.baseTopic)/..., bridge \(configuration.mqtt.bridge)"],
      [
        "discovery",
        discovery == .off ? "off" : "\(discovery.rawValue), below \(configuration.homeAssistant.prefix)/",
      ],
    ]
    for device in configuration.devices {
      let links = device.links.map { "\($0.summary)" }.joined(separator: "; ")
      rows.append(["device", "\(device.id)  \(device.kind)  \(links)"])
    }
    if configuration.devices.isEmpty { rows.append(["device", "none"]) }
    let width = (rows.map { $0[0].count }.max() ?? 0) + 2
    let lines = rows.map { $0[0] + String(repeating: " ", count: width - $0[0].count) + $0[1] }
    return "\(verdict)\n" + lines.map { "  \($0)\n" }.joined()
  }
}

extension Configuration.Link {
  /// `tcp 192.168.1.4:230, polled every 10s`.
  fileprivate var summary: String {
    let place =
      switch target {
      case .tcp(let address): "tcp \(address)"
      case .udp(let address): "udp \(address)"
      case .serial(let port): "serial \(port.path) at \(port.baud)"
      case .ble(let board, _): "ble \(board)"
      case .capture(let line): "capture \(line.joined(separator: " "))"
      }
    let session =
      switch session {
      case .held: "held"
      case .polled(let interval): "polled every \(interval.configurationText)"
      case .onDemand: "on demand"
      }
    return "\(place), \(session)"
  }
}
