import DeviceModel
import EventLoop
import Glibc

/// Log lines to standard error. It never waits for a reader: lines that find no room are counted and the next that
/// does says how many.
@Loop final class LogWriter {
  private let stream: StandardStream
  private let format: LogFormat
  private var lost = 0

  init(_ stream: StandardStream = .error) {
    self.stream = stream
    format = stream.isJournal ? .journal : .plain
  }

  func write(_ level: LogLevel, _ text: String) {
    guard stream.isWritable else {
      lost += 1
      return
    }
    if lost > 0 {
      stream.write(format.line(.warning, "\(lost) log lines were lost: nothing read them", time: Self.time()))
      lost = 0
      guard stream.isWritable else {
        lost = 1
        return
      }
    }
    stream.write(format.line(level, text, time: Self.time()))
  }

  /// `2026-11-30 07:33:29.042`, in the local time zone.
  private static func time() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    let numbers = [
      Int(parts.tm_mon) + 1, Int(parts.tm_mday), Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec),
    ]
    let two = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    let milliseconds = String(now.tv_nsec / 1_000_000 + 1000).dropFirst()
    return "\(parts.tm_year + 1900)-\(two[0])-\(two[1]) \(two[2]):\(two[3]):\(two[4]).\(milliseconds)"
  }
}
