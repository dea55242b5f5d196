import DeviceModel
import EventLoop
import Glibc

/// Where the demo shows itself: on a terminal the present state, redrawn in place; else a line for each change.
@Loop final class DemoDisplay {
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
    let changes = state.receive(topic, payload, at: time)
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
    var lines = state.lines(width: width)
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
