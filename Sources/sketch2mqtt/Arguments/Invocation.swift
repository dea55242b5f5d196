import DeviceModel

/// What one start of the program was asked to do, checked.
enum Invocation: Equatable {
  case run(Run)
  case check(configuration: String?)
  case checkProfile(ProfileCheck.Request)
  case monitor(Monitor)
  case capture(Capture)
  case replay(file: String)
  case health(configuration: String?)
  case scan(Scan)
  case explore(Explore)
  case demo(Demo)
  case version
  case help(Command?)

  struct Run: Equatable {
    /// nil: the first of the usual places.
    var configuration: String?
    /// nil: what the configuration says.
    var logLevel: LogLevel?
  }

  /// A day is long enough to look at something.
  static let longestSeconds = 86_400
  /// dBm, as the bridge takes them.
  static let strengths = -127...20

  struct Monitor: Equatable {
    /// nil: the first of the usual places.
    var configuration: String?
    /// nil: until a signal.
    var seconds: Int?
  }

  struct Capture: Equatable {
    var device: String
    /// nil: the first of the usual places.
    var configuration: String?
    /// nil: until a signal.
    var seconds: Int?
    /// nil: standard output.
    var output: String?
  }

  struct Scan: Equatable {
    /// nil: the first of the usual places.
    var configuration: String?
    var seconds: Int?
    var service: BluetoothUUID?
    var namePrefix: String?
    /// dBm.
    var leastRSSI: Int?
  }

  struct Explore: Equatable {
    /// nil: the first of the usual places.
    var configuration: String?
    /// An address, or a name.
    var board: String
    var readsValues = false
  }

  struct Demo: Equatable {
    /// nil: until a signal.
    var seconds: Int?
    /// nil: nothing below a warning.
    var logLevel: LogLevel?
    /// The compiled sketches in a simulator, instead of boards that are written anew.
    var runsFirmware = false
  }
}

extension Invocation {
  /// Reads the arguments that follow the program's name.
  init(_ arguments: [String]) throws(UsageError) {
    guard let first = arguments.first else { throw .noCommand }
    switch first {
    case "-h", "--help": self = .help(nil)
    case "--version": self = .version
    default:
      guard let command = Command(rawValue: first) else {
        throw first.hasPrefix("-") ? .unknownOption(first, of: nil) : .unknownCommand(first)
      }
      self = try Self.read(command, arguments.dropFirst())
    }
  }

  private static func read(
    _ command: Command, _ arguments: ArraySlice<String>
  ) throws(UsageError) -> Invocation {
    let parsed = try ParsedArguments(arguments, of: command)
    if parsed.values[.help] != nil { return .help(command) }
    if let surplus = parsed.operands.dropFirst(command.operand == nil ? 0 : 1).first {
      throw .surplusArgument(surplus, of: command)
    }
    let operand = parsed.operands.first ?? ""
    if let wanted = command.operand, wanted.isRequired, operand.isEmpty {
      throw .missingOperand(wanted.name, of: command)
    }
    switch command {
    case .run:
      return .run(Run(configuration: parsed.values[.config], logLevel: try parsed.logLevel()))
    case .check: return try check(parsed)
    case .monitor:
      return .monitor(Monitor(configuration: parsed.values[.config], seconds: try parsed.seconds()))
    case .capture:
      return .capture(
        Capture(
          device: operand, configuration: parsed.values[.config], seconds: try parsed.seconds(),
          output: parsed.values[.output]))
    case .replay: return .replay(file: operand)
    case .health: return .health(configuration: parsed.values[.config])
    case .demo:
      return .demo(
        Demo(
          seconds: try parsed.seconds(), logLevel: try parsed.logLevel(),
          runsFirmware: parsed.values[.firmware] != nil))
    case .scan:
      return .scan(
        Scan(
          configuration: parsed.values[.config], seconds: try parsed.seconds(), service: try parsed.service(),
          namePrefix: parsed.values[.namePrefix], leastRSSI: try parsed.strength()))
    case .explore:
      return .explore(
        Explore(
          configuration: parsed.values[.config], board: operand, readsValues: parsed.values[.values] != nil))
    case .version: return .version
    case .help:
      guard let topic = parsed.operands.first else { return .help(nil) }
      guard let command = Command(rawValue: topic) else { throw .unknownCommand(topic) }
      return .help(command)
    }
  }
}

extension Invocation {
  private static func check(_ parsed: ParsedArguments) throws(UsageError) -> Invocation {
    guard let profile = parsed.values[.profile] else {
      for option in [Option.sample, .sampleFile] where parsed.values[option] != nil {
        throw .missingOption(.profile, with: option)
      }
      return .check(configuration: parsed.values[.config])
    }
    if parsed.values[.config] != nil { throw .rivals(.config, .profile) }
    if parsed.values[.sample] != nil, parsed.values[.sampleFile] != nil {
      throw .rivals(.sample, .sampleFile)
    }
    let samples =
      parsed.values[.sample].map(SampleLines.Source.text)
      ?? parsed.values[.sampleFile].map(SampleLines.Source.file)
    return .checkProfile(.init(profile: profile, samples: samples))
  }
}

/// Options and what else stood on the line, before anything is made of their values.
private struct ParsedArguments {
  /// Of an option that was given twice, the last.
  private(set) var values: [Option: String] = [:]
  private(set) var operands: [String] = []

  init(_ arguments: ArraySlice<String>, of command: Command) throws(UsageError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let written = String(parts[0])
      guard
        let option = command.options.first(where: { $0.name == written }) ?? (written == "-h" ? .help : nil)
      else { throw .unknownOption(written, of: command) }
      if option.value == nil {
        guard parts.count == 1 else { throw .unwantedValue(option) }
        values[option] = ""
      } else if parts.count == 2 {
        values[option] = String(parts[1])
      } else {
        // A value that starts like an option is more often a forgotten one; `--config=-x` names such a file.
        guard let next = rest.first, !next.hasPrefix("-") || next == "-" else { throw .missingValue(option) }
        values[option] = next
        rest.removeFirst()
      }
      if option.value != nil, values[option] == "" { throw .missingValue(option) }
    }
  }

  func logLevel() throws(UsageError) -> LogLevel? {
    guard let text = values[.logLevel] else { return nil }
    guard let level = LogLevel(rawValue: text) else {
      let nearest = nearestName(to: text, among: LogLevel.allCases.map(\.rawValue))
      throw .badValue(.logLevel, text, nearest: nearest)
    }
    return level
  }

  func seconds() throws(UsageError) -> Int? {
    guard let text = values[.seconds] else { return nil }
    let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, let seconds = Int(text), (1...Invocation.longestSeconds).contains(seconds) else {
      throw .badValue(.seconds, text, nearest: nil)
    }
    return seconds
  }

  func service() throws(UsageError) -> BluetoothUUID? {
    guard let text = values[.service] else { return nil }
    guard let uuid = BluetoothUUID(text) else { throw .badValue(.service, text, nearest: nil) }
    return uuid
  }

  func strength() throws(UsageError) -> Int? {
    guard let text = values[.rssi] else { return nil }
    guard let strength = Int(text), Invocation.strengths.contains(strength) else {
      throw .badValue(.rssi, text, nearest: nil)
    }
    return strength
  }
}
