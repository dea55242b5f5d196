public import DeviceModel
public import EventLoop

/// Where log lines go: to the sink given by init, and to the broker when there is one.
@Loop public final class Log {
  public var level: LogLevel
  private let sink: @Loop (LogLevel, String) -> Void
  /// Takes each line at or above the level as well; set while there is a bridge.
  var onLine: (@Loop (LogLevel, String) -> Void)?

  public init(level: LogLevel = .info, sink: @escaping @Loop (LogLevel, String) -> Void) {
    self.level = level
    self.sink = sink
  }

  public func error(_ text: @autoclosure () -> String) { write(.error, text()) }
  public func warning(_ text: @autoclosure () -> String) { write(.warning, text()) }
  public func info(_ text: @autoclosure () -> String) { write(.info, text()) }
  public func debug(_ text: @autoclosure () -> String) {
    if level == .debug { write(.debug, text()) }
  }

  /// Passes the line on when its level matters at least as much as ``level``.
  public func write(_ lineLevel: LogLevel, _ text: String) {
    guard lineLevel <= level else { return }
    sink(lineLevel, text)
    onLine?(lineLevel, text)
  }
}
