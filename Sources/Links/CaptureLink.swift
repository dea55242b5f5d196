public import DeviceModel
public import EventLoop

/// The standard output of a program that is kept running: a microphone's recorder, a decoder of radio signals.
///
/// It is up with the first bytes, or when the program has run for a second: one that cannot do its work mostly ends
/// before. Nothing can be sent to it. When the program ends, the link goes down, with the program's last line on
/// standard error as the reason. One that says more than any sound has is read no faster than sound, and waits.
@Loop public final class CaptureLink: Link {
  private let command: [String]
  private let running: RunningCaptures
  private let handler: LinkEvent.Handler
  private let reports: Reports
  private lazy var channel = ByteChannel(.pipe) { [weak self] in self?.take($0) }

  private var phase = Phase.idle
  private var process: CaptureProcess?
  private var timer: LoopTimer?
  /// Whether the program that is ending had worked.
  private var wasUp = false
  /// Counts what the owner begins and ends, so that what belongs to an earlier process is known as such.
  private var period = 0
  private var isWanted = true
  private var flow = Flow()
  private var flowTimer: LoopTimer?

  private enum Phase {
    case idle
    /// The program of before has not ended yet; what it records may be there only once.
    case waiting
    case starting
    case up
    /// It has closed its output, or ended; the rest of it is awaited.
    case ending
  }

  /// A program that runs for so long without a byte does its work.
  public static let settling = Duration.seconds(1)
  private let settling: Duration

  /// - Parameters:
  ///   - command: A program and its arguments; no shell looks at them.
  ///   - settling: How long it may say nothing until it counts as working.
  public init(
    _ command: [String], among running: RunningCaptures, settling: Duration = CaptureLink.settling,
    handler: @escaping LinkEvent.Handler
  ) {
    self.command = command
    self.settling = settling
    self.running = running
    self.handler = handler
    reports = Reports(handler)
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { isWanted }
    set {
      isWanted = newValue
      updateReading()
    }
  }

  public var hasUnsent: Bool { false }

  public func connect() {
    guard case .idle = phase else { return }
    period += 1
    phase = .waiting
    guard let former = process else { return start() }
    let current = period
    former.whenEnded { [weak self] in
      if let self, period == current { start() }
    }
  }

  public func disconnect() {
    period += 1
    phase = .idle
    timer?.cancel()
    stopResting()
    reports.forget()
    channel.close()
    process?.stop()
  }

  public func send(_ send: Output.Send) { reports.notSent(send.number, "a capture command takes no input") }

  private func start() {
    do throws(LinkFailure) {
      let new = try CaptureProcess(command)
      process = new
      phase = .starting
      isWanted = true
      stopResting()
      running.add(new)
      channel.open(new.output)
      let current = period
      new.whenEnded { [weak self] in
        if let self, period == current { becomeQuiet() }
      }
      timer = LoopTimer(after: settling) { [weak self] in self?.settle() }
    } catch {
      process = nil
      timer = LoopTimer(after: .zero) { [weak self] in self?.fail(error) }
    }
  }

  private func settle() {
    guard case .starting = phase else { return }
    timer?.cancel()
    phase = .up
    handler(.up(maximumPacket: nil))
  }

  private func take(_ event: LinkEvent) {
    switch event {
    case .received(let bytes):
      let current = period
      count(bytes.count)
      settle()
      if current == period { handler(event) }
    case .down: endOfOutput()
    default: handler(event)
    }
  }

  /// A program that only floods would leave the loop no time for anything else.
  private func count(_ bytes: Int) {
    guard let rest = flow.rest(after: bytes, at: .nanoseconds(MonotonicTime.now.nanoseconds)) else { return }
    flowTimer = LoopTimer(after: rest) { [weak self] in
      self?.flowTimer = nil
      self?.updateReading()
    }
    updateReading()
  }

  private func stopResting() {
    flowTimer?.cancel()
    flowTimer = nil
    flow = Flow()
  }

  private func updateReading() { channel.isReading = isWanted && flowTimer == nil }

  /// What it said before its end is heard first: its output ends after it.
  private func becomeQuiet() {
    if case .ending = phase { finish() }
  }

  private func endOfOutput() {
    guard let process else { return }
    timer?.cancel()
    if case .up = phase { wasUp = true } else { wasUp = false }
    phase = .ending
    if process.ending == nil { process.stop() } else { finish() }
  }

  private func finish() {
    let why = process?.ending ?? "ended"
    fail(wasUp ? .broken(why) : .unavailable(why))
  }

  private func fail(_ failure: LinkFailure) {
    phase = .idle
    reports.end(failure, unsent: [])
  }
}

/// How much was read lately.
private struct Flow {
  private var began = Duration.zero
  private var bytes = 0

  private static let interval = Duration.milliseconds(100)
  /// In ``interval``: eight channels of 192,000 samples of four bytes.
  private static let most = 614_400

  /// How long to read nothing; nil to read on.
  mutating func rest(after count: Int, at now: Duration) -> Duration? {
    if now - began >= Self.interval {
      began = now
      bytes = 0
    }
    bytes += count
    return bytes < Self.most ? nil : began + Self.interval - now
  }
}
