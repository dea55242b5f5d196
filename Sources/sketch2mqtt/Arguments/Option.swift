import DeviceModel

/// What a command can be told by name: `--config FILE` or `--config=FILE`.
enum Option: String, CaseIterable {
  case config
  case logLevel = "log-level"
  case seconds
  case help

  /// As it is typed: `--log-level`.
  var name: String { "--\(rawValue)" }

  /// What its value is called in the help; nil for one without a value.
  var value: String? {
    switch self {
    case .config: "FILE"
    case .logLevel: "LEVEL"
    case .seconds: "N"
    case .help: nil
    }
  }

  /// What a good value is.
  var expectation: String {
    switch self {
    case .config: "the name of a file"
    case .logLevel: "one of \(LogLevel.allCases.map(\.rawValue).joined(separator: ", "))"
    case .seconds: "a whole number from 1 to \(Invocation.longestSeconds)"
    case .help: "nothing"
    }
  }

  var explanation: String {
    switch self {
    case .config: "the configuration to read instead of the first that exists below"
    case .logLevel: "what to log: error, warning, info or debug"
    case .seconds: "end after N seconds instead of at Ctrl-C"
    case .help: "explain the command (also -h)"
    }
  }
}
