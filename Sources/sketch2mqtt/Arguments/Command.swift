/// What the program can be asked to do: the first argument.
enum Command: String, CaseIterable {
  case run, check, monitor, health, demo, version, help

  /// One line of the overview.
  var summary: String {
    switch self {
    case .run: "connect the boards of a configuration to its broker"
    case .check: "report every mistake in a configuration or a profile, and start nothing"
    case .monitor: "show the devices of a running bridge, live"
    case .health: "ask the running bridge of a configuration how it is"
    case .demo: "show a broker, simulated boards and the bridge at work"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  var options: [Option] {
    switch self {
    case .run: [.config, .logLevel, .help]
    case .check: [.config, .profile, .sample, .sampleFile, .help]
    case .health: [.config, .help]
    case .monitor: [.config, .seconds, .help]
    case .demo: [.seconds, .logLevel, .help]
    case .version, .help: [.help]
    }
  }

  /// What stands after the options in the usage line.
  var operands: String? { self == .help ? "[COMMAND]" : nil }
}
