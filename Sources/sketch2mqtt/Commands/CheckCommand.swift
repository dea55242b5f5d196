import Configuration
import DeviceModel

/// `sketch2mqtt check`: all that is wrong with a configuration, or what would run with it.
enum CheckCommand {
  static func perform(configuration path: String?) -> ExitStatus {
    let file: SettingsFile
    do throws(SettingsFile.Missing) {
      file = try SettingsFile(path)
    } catch {
      StandardStream.error.write("sketch2mqtt: \(error)\n")
      return .configuration
    }
    let content = file.read()
    for problem in content.problems { StandardStream.error.write("\(problem)\n") }
    guard content.settings != nil, let configuration = content.configuration else {
      let count = content.problems.count { $0.severity == .error }
      StandardStream.error.write("\(file.path): \(count) \(count == 1 ? "mistake" : "mistakes")\n")
      return .configuration
    }
    StandardStream.output.write(summary(of: configuration, in: file.path))
    return .success
  }

  private static func summary(of configuration: Configuration, in path: String) -> String {
    let servers = configuration.mqtt.servers.map(\.description).joined(separator: ", then ")
    var lines = [
      "\(path) is right.",
      "broker     \(servers)",
      "topics     \(configuration.mqtt.baseTopic)/…, bridge '\(configuration.mqtt.bridge)'",
    ]
    if configuration.devices.isEmpty { lines.append("no devices") }
    for device in configuration.devices {
      let links = device.links.map { "\($0.transport.rawValue), \($0.session.words)" }.joined(separator: "; ")
      lines.append("device     \(device.id): \(device.name), kind \(device.kind), \(links)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Session {
  /// The configuration's words.
  fileprivate var words: String {
    switch self {
    case .held: "held"
    case .polled(let interval): "polled every \(interval.configurationText)"
    case .onDemand: "on demand"
    }
  }
}
