import Glibc

/// The clock on the wall, in the machine's time zone.
struct LocalTime: CustomStringConvertible {
  private let parts: tm
  private let milliseconds: Int

  static var now: LocalTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return LocalTime(now)
  }

  /// `time` counts from 1970 UTC.
  init(_ time: timespec) {
    var seconds = time.tv_sec
    var parts = tm()
    localtime_r(&seconds, &parts)
    self.parts = parts
    milliseconds = time.tv_nsec / 1_000_000
  }

  /// `2026-11-30 07:33:29.042`.
  var description: String {
    let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    return
      "\(date.map(Self.twoDigits).joined(separator: "-")) \(timeOfDay).\(String(milliseconds + 1000).dropFirst())"
  }

  /// `07:33:29`.
  var timeOfDay: String {
    [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.twoDigits(Int($0)) }.joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
