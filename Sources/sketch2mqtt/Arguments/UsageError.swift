import DeviceModel

/// What is wrong with a command line.
enum UsageError: Error, Equatable {
  case noCommand
  case unknownCommand(String)
  case unknownOption(String, of: Command?)
  case missingValue(Option)
  case unwantedValue(Option)
  case badValue(Option, String, nearest: String?)
  case missingOperand(String, of: Command)
  case surplusArgument(String, of: Command)
  case missingOption(Option, with: Option)
  case rivals(Option, Option)
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noCommand: "which command?"
    case .unknownCommand(let word):
      "unknown command '\(word)'" + Self.hint(nearestName(to: word, among: Command.allCases.map(\.rawValue)))
    case .unknownOption(let word, let command?):
      "unknown option '\(word)' of '\(command.rawValue)'"
        + Self.hint(nearestName(to: word, among: command.options.map(\.name)))
    case .unknownOption(let word, nil):
      "unknown option '\(word)'" + Self.hint(nearestName(to: word, among: ["--help", "--version"]))
    case .missingValue(let option): "\(option.name) needs \(option.expectation)"
    case .unwantedValue(let option): "\(option.name) takes no value"
    case .badValue(let option, let value, let nearest):
      "\(option.name): '\(value)' is not \(option.expectation)" + Self.hint(nearest)
    case .missingOption(let option, let other): "\(other.name) without \(option.name)"
    case .rivals(let option, let other): "only one of \(option.name) and \(other.name)"
    case .missingOperand(let name, let command): "'\(command.rawValue)' needs \(name)"
    case .surplusArgument(let word, let command): "'\(command.rawValue)' takes no argument '\(word)'"
    }
  }

  /// The command whose help is worth reading now.
  var topic: Command? {
    switch self {
    case .unknownOption(_, let command): command
    case .missingOperand(_, let command), .surplusArgument(_, let command): command
    default: nil
    }
  }

  private static func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}
