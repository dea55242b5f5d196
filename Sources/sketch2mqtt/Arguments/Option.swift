import DeviceModel

/// What a command can be told by name: `--config FILE` or `--config=FILE`.
enum Option: String, CaseIterable {
  case config
  case logLevel = "log-level"
  case seconds
  case profile
  case sample
  case sampleFile = "sample-file"
  case output
  case firmware
  case values
  case service
  case namePrefix = "name"
  case rssi
  case help

  /// As it is typed: `--log-level`.
  var name: String { "--\(rawValue)" }

  /// What its value is called in the help; nil for one without a value.
  var value: String? {
    switch self {
    case .config, .profile, .sampleFile, .output: "FILE"
    case .sample: "LINES"
    case .logLevel: "LEVEL"
    case .seconds: "N"
    case .service: "UUID"
    case .namePrefix: "PREFIX"
    case .rssi: "DBM"
    case .firmware, .values, .help: nil
    }
  }

  /// What a good value is.
  var expectation: String {
    switch self {
    case .config, .profile, .sampleFile, .output: "the name of a file"
    case .sample: "lines of a board"
    case .logLevel: "one of \(LogLevel.allCases.map(\.rawValue).joined(separator: ", "))"
    case .seconds: "a whole number from 1 to \(Invocation.longestSeconds)"
    case .service: "a UUID such as 180f"
    case .namePrefix: "the beginning of a name"
    case .rssi:
      "a whole number from \(Invocation.strengths.lowerBound) to \(Invocation.strengths.upperBound), as in --rssi=-80"
    case .firmware, .values, .help: "nothing"
    }
  }

  var explanation: String {
    switch self {
    case .config: "the configuration to read instead of the first that exists below"
    case .logLevel: "what to log: error, warning, info or debug"
    case .profile: "the profile of a board to check instead of a configuration"
    case .sample: "what the board may say, to see what is published; 0x before bytes in hex"
    case .sampleFile: "the same from a file, or from standard input for -"
    case .seconds: "end after N seconds instead of at Ctrl-C"
    case .output: "the file to write, instead of standard output"
    case .firmware: "run the boards' own firmware in an AVR simulator; see below"
    case .values: "read the values as well; a device may want to be paired for some"
    case .service: "only devices that advertise this service"
    case .namePrefix: "only devices whose name begins so"
    case .rssi: "only devices that are heard with this strength or more, --rssi=-80"
    case .help: "explain the command (also -h)"
    }
  }
}
