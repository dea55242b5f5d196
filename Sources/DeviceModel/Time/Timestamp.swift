import Glibc

/// A point in civil time, UTC, to the millisecond.
public struct Timestamp: Comparable, Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  public init(seconds: Int64) { milliseconds = seconds * 1000 }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  public func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// ISO 8601 in UTC with whole seconds: `2026-11-30T07:21:02Z`. Years 0 to 9999; others come out as they are.
  public var iso8601: String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func padded(_ number: Int32, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(parts.tm_year + 1900, 4) + "-" + padded(parts.tm_mon + 1, 2) + "-"
      + padded(parts.tm_mday, 2)
      + "T" + padded(parts.tm_hour, 2) + ":" + padded(parts.tm_min, 2) + ":" + padded(parts.tm_sec, 2) + "Z"
  }

  /// Reads `YYYY-MM-DDTHH:MM[:SS[.fraction]]` with `Z` or an offset `±HH[:MM]`; nil for anything else, also for
  /// a time without a zone and for a date that does not exist.
  public init?(iso8601 text: some StringProtocol) {
    var scanner = DigitScanner(text.utf8)
    guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
      scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t"),
      let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2)
    else { return nil }
    var second = 0
    var millisecond = 0
    if scanner.skip(":") {
      guard let number = scanner.number(digits: 2) else { return nil }
      second = number
      if scanner.skip(".") {
        guard let fraction = scanner.fraction() else { return nil }
        millisecond = fraction
      }
    }
    guard let offsetMinutes = scanner.zone(), scanner.isAtEnd, hour < 24, minute < 60, second < 60 else {
      return nil
    }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    let seconds = timegm(&parts)
    guard parts.tm_mon == Int32(month - 1), parts.tm_mday == Int32(day) else { return nil }
    milliseconds = (Int64(seconds) - Int64(offsetMinutes) * 60) * 1000 + Int64(millisecond)
  }
}

private struct DigitScanner {
  /// In bytes; a longer text is no time.
  private static let longest = 64
  private var rest: [UInt8]
  private var index = 0

  init(_ text: some Sequence<UInt8>) { rest = Array(text.prefix(Self.longest + 1)) }

  var isAtEnd: Bool { index == rest.count && rest.count <= Self.longest }

  mutating func skip(_ character: Character) -> Bool {
    guard index < rest.count, rest[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Digits after the point, at least one, as milliseconds.
  mutating func fraction() -> Int? {
    guard var number = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      if count < 3 {
        number = number * 10 + digit
        count += 1
      }
    }
    while count < 3 {
      number *= 10
      count += 1
    }
    return number
  }

  /// Minutes east of UTC.
  mutating func zone() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2) else { return nil }
    var minutes = 0
    if !isAtEnd {
      _ = skip(":")
      guard let number = number(digits: 2) else { return nil }
      minutes = number
    }
    guard hours < 24, minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private mutating func digit() -> Int? {
    guard index < rest.count, (0x30...0x39).contains(rest[index]) else { return nil }
    index += 1
    return Int(rest[index - 1] - 0x30)
  }
}
