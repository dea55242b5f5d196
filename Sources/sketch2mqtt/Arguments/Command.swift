/// What the program can be asked to do: the first argument.
enum Command: String, CaseIterable {
  case run, check, monitor, capture, replay, scan, explore, health, demo, version, help

  /// One line of the overview.
  var summary: String {
    switch self {
    case .run: "connect the boards of a configuration to its broker"
    case .check: "report every mistake in a configuration or a profile, and start nothing"
    case .monitor: "show the devices of a running bridge, live"
    case .capture: "write down what a board and its adapter say to each other, for a report of a fault"
    case .replay: "show what the adapter makes of a file written by capture"
    case .health: "ask the running bridge of a configuration how it is"
    case .scan: "list the Bluetooth devices that the running bridge hears"
    case .explore: "list the services of a Bluetooth device near the running bridge"
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
    case .scan: [.config, .seconds, .service, .namePrefix, .rssi, .help]
    case .explore: [.config, .values, .help]
    case .capture: [.config, .seconds, .output, .help]
    case .demo: [.seconds, .firmware, .logLevel, .help]
    case .replay, .version, .help: [.help]
    }
  }

  /// What stands after the options.
  var operand: Operand? {
    switch self {
    case .capture: Operand(name: "DEVICE", isRequired: true)
    case .explore: Operand(name: "ADDRESS", isRequired: true)
    case .replay: Operand(name: "FILE", isRequired: true)
    case .help: Operand(name: "COMMAND", isRequired: false)
    default: nil
    }
  }

  /// The one word that a command takes by its place.
  struct Operand: Equatable {
    var name: String
    var isRequired: Bool
  }
}
