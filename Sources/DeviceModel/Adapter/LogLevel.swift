/// How much a log line matters, most first.
public enum LogLevel: String, Hashable, Sendable, CaseIterable, Comparable {
  case error, warning, info, debug

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
