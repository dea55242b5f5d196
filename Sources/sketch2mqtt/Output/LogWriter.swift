import DeviceModel
import EventLoop

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
      stream.write(
        format.line(
          .warning, "\(lost) log lines were lost: nothing read them", time: LocalTime.now.description))
      lost = 0
      guard stream.isWritable else {
        lost = 1
        return
      }
    }
    stream.write(format.line(level, text, time: LocalTime.now.description))
  }
}
