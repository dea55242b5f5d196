import DeviceModel
import EventLoop
import Glibc

/// Where bridges and devices are shown as they are: on a terminal the present state, redrawn in place; else a line
/// for each change.
@Loop final class LiveDisplay {
  private let stream: StandardStream
  private let isTerminal: Bool
  private var state: ShownState
  private var log: [String] = []
  private var drawnLines = 0
  private var drawing: LoopTimer?

  /// Log lines that are kept on the screen.
  private static let keptLogLines = 4

  init(base: String, stream: StandardStream = .output) {
    self.stream = stream
    isTerminal = stream.isTerminal
    state = ShownState(base: base)
  }

  /// What stays above everything else.
  func announce(_ text: String) { stream.write(text) }

  func receive(_ topic: String, _ payload: [UInt8]) {
    let time = LocalTime.now.timeOfDay
    show(state.receive(topic, payload, at: time, uptime: uptime), at: time)
  }

  /// How the connection to the broker stands.
  func brokerIs(_ text: String) { show(state.brokerIs(text), at: LocalTime.now.timeOfDay) }

  private func show(_ changes: [ShownState.Change], at time: String) {
    if isTerminal {
      if !changes.isEmpty { drawSoon() }
    } else {
      stream.write(changes.map { "\(time) \(ShownState.printable($0.line))\n" }.joined())
    }
  }

  /// A line of the bridge's log. Without a terminal those go to standard error as always.
  func log(_ level: LogLevel, _ text: String) {
    log.append("\(LocalTime.now.timeOfDay)  \(level.rawValue)  \(text)")
    log.removeFirst(max(0, log.count - Self.keptLogLines))
    drawSoon()
  }

  var showsLog: Bool { isTerminal }

  /// Draws again though nothing came: rates fall by themselves.
  func refresh() {
    if isTerminal { drawSoon() }
  }

  private var uptime: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }

  /// Draws what has not been drawn yet. Nothing may follow.
  func finish() {
    drawing?.cancel()
    if isTerminal { draw() }
  }

  /// Changes come in bursts.
  private func drawSoon() {
    guard drawing == nil else { return }
    drawing = LoopTimer(after: .milliseconds(50)) { [weak self] in
      self?.drawing = nil
      self?.draw()
    }
  }

  private func draw() {
    var size = winsize()
    let isKnown = ioctl(stream.descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 1
    let width = isKnown ? Int(size.ws_col) : 80
    let height = isKnown ? Int(size.ws_row) : 24
    var lines = state.lines(width: width, at: uptime)
    if !log.isEmpty {
      lines += ["log"] + log.map { ShownState.clipped(ShownState.printable("  \($0)"), to: width) }
    }
    // What has scrolled out of the screen cannot be drawn over.
    lines = Array(lines.prefix(height - 1))
    var text = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
    for line in lines { text += "\r\(line)\u{1B}[K\n" }
    stream.write(text + "\u{1B}[J")
    drawnLines = lines.count
  }
}
