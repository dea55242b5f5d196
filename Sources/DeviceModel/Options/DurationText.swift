extension Duration {
  /// `500ms`, `10s`, `5m`, `1h`, also with a fraction (`1.5s`); at most 3 digits after the point and
  /// 9 before it. Nil for anything else, also for a number without a unit.
  public init?(configurationText text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let millisecondsPerUnit: Int64
    switch text[number.endIndex...] {
    case "ms": millisecondsPerUnit = 1
    case "s": millisecondsPerUnit = 1000
    case "m": millisecondsPerUnit = 60 * 1000
    case "h": millisecondsPerUnit = 60 * 60 * 1000
    default: return nil
    }
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...9).contains(whole.utf8.count), let units = Int64(whole) else {
      return nil
    }
    var microseconds = units * millisecondsPerUnit * 1000
    if parts.count == 2 {
      let digits = parts[1]
      guard (1...3).contains(digits.utf8.count), let fraction = Int64(digits) else { return nil }
      let thousandths = [100, 10, 1][digits.utf8.count - 1] * fraction
      microseconds += thousandths * millisecondsPerUnit
    }
    self = .microseconds(microseconds)
  }

  /// The shortest text that means this duration to the millisecond: `500ms`, `90s`, `5m`, `1h`.
  public var configurationText: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if milliseconds != 0 {
      return seconds == 0 ? "\(milliseconds)ms" : "\(seconds * 1000 + milliseconds)ms"
    }
    if seconds != 0, seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
    if seconds != 0, seconds.isMultiple(of: 60) { return "\(seconds / 60)m" }
    return "\(seconds)s"
  }
}
