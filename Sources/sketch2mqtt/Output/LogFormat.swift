import DeviceModel

/// How a log line is written: for journald, which keeps time and priority itself, or for a person.
enum LogFormat: Equatable {
  case journal
  case plain

  /// Longer lines are cut: a pipe takes this much without making the writer wait (`PIPE_BUF`).
  static let longestLine = 4096

  /// A line with its end. `time` is what the clock on the wall shows; journald does without.
  func line(_ level: LogLevel, _ text: String, time: @autoclosure () -> String) -> [UInt8] {
    var line: [UInt8] =
      switch self {
      case .journal: Array("<\(Self.priority(level))>".utf8)
      case .plain: Array("\(time()) \(Self.word(level)) ".utf8)
      }
    Self.append(text, to: &line)
    if line.count >= Self.longestLine {
      line.removeSubrange((Self.longestLine - 4)...)
      while let last = line.last, last & 0xC0 == 0x80 { line.removeLast() }
      if let last = line.last, last >= 0xC0 { line.removeLast() }
      line += Array("...".utf8)
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// syslog(3)'s numbers, which journald reads at the start of a line.
  private static func priority(_ level: LogLevel) -> Int {
    switch level {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }

  private static func word(_ level: LogLevel) -> String {
    switch level {
    case .error: "ERROR  "
    case .warning: "WARNING"
    case .info: "info   "
    case .debug: "debug  "
    }
  }

  /// Control characters, which a board may have sent, neither start a line nor reach the terminal.
  private static func append(_ text: String, to line: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09: line.append(0x20)
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
        line += Array("\\u{\(String(scalar.value, radix: 16))}".utf8)
      default: line += Array(String(scalar).utf8)
      }
    }
  }
}
