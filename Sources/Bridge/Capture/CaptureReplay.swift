public import DeviceModel

/// Runs what was captured through an adapter once more, with the time of the capture and timers of its own.
public struct CaptureReplay: Sendable {
  private var adapter: any Adapter
  private let start: Timestamp
  private var now = Duration.zero
  private var timers: [Input.TimerName: Duration] = [:]

  /// What happened, in order.
  public enum Step: Hashable, Sendable {
    /// Told to the adapter: of the capture, or a timer's.
    case told(Input, at: Duration)
    /// What it wanted done for that, timers left out.
    case wanted(Output, at: Duration)
    /// What had been sent when it was captured.
    case wasSent(LinkRole, [UInt8], at: Duration)
  }

  /// - Parameter start: When the capture began.
  public init(_ adapter: any Adapter, start: Timestamp) {
    self.adapter = adapter
    self.start = start
  }

  /// Lets the time until the record pass, with the timers that run out in it, then takes the record.
  public mutating func take(_ record: CaptureRecord) -> [Step] {
    var steps = pass(until: record.time)
    switch record.content {
    case .sent(let role, let bytes): steps.append(.wasSent(role, bytes, at: now))
    case .input(let input): feed(input, into: &steps)
    }
    return steps
  }

  /// At most so many timers run out between two records; an adapter that sets them without end is a defect.
  private static let timerLimit = 100_000

  private mutating func pass(until end: Duration) -> [Step] {
    var steps: [Step] = []
    var fired = 0
    while fired < Self.timerLimit, let next = timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
      next.value <= end
    {
      now = max(now, next.value)
      timers[next.key] = nil
      feed(.timerFired(next.key), into: &steps)
      fired += 1
    }
    now = max(now, end)
    return steps
  }

  private mutating func feed(_ input: Input, into steps: inout [Step]) {
    var outputs: [Output] = []
    adapter.handle(input, at: Moment(uptime: now, wall: start.advanced(by: now)), into: &outputs)
    if case .timerFired = input, outputs.isEmpty { return }
    steps.append(.told(input, at: now))
    for output in outputs {
      switch output {
      case .setTimer(let name, let delay): timers[name] = now + delay
      case .setTimerWhenKept(let name): timers[name] = now
      case .cancelTimer(let name): timers[name] = nil
      default: steps.append(.wanted(output, at: now))
      }
    }
  }
}
