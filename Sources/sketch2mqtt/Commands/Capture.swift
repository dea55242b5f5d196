import Bridge
import DeviceModel
import EventLoop
import Glibc

/// `capture`: asks the running bridge to tell all that a device's adapter is told, and writes it down.
@Loop final class Capture {
  /// The bridge captures this long after each request: it stops by itself when nobody asks any more.
  static let lease = 30
  private static let renewal = Duration.seconds(10)

  private let options: Invocation.Capture
  private let stream: StandardStream
  private let onEnd: @Loop () -> Void
  private var observer: BridgeObserver?
  private var timer: LoopTimer?
  private var hasBegun = false
  private(set) var status = ExitStatus.success

  private init(
    _ options: Invocation.Capture, _ settings: BridgeSettings, to stream: StandardStream,
    onEnd: @escaping @Loop () -> Void
  ) {
    self.options = options
    self.stream = stream
    self.onEnd = onEnd
    observer = BridgeObserver(settings, .capture(device: options.device)) { [weak self] in self?.take($0) }
  }

  /// Gives the thread to the loop; the process ends from within it.
  nonisolated static func perform(_ options: Invocation.Capture) -> ExitStatus {
    let settings: BridgeSettings
    do throws(ExitStatus) {
      settings = try LoadedConfiguration.settings(of: options.configuration)
    } catch {
      return error
    }
    var stream = StandardStream.output
    if let file = options.output {
      let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        return ExitStatus.failure.because("\(file): \(String(cString: strerror(errno)))")
      }
      stream = StandardStream(descriptor: descriptor)
    }
    StopSignals.block()
    Task { @Loop [stream] in
      let signals = StopSignals { exit(ExitStatus.failure.rawValue) }
      let capture = Capture(options, settings, to: stream) { signals.arrive() }
      if let seconds = options.seconds { _ = LoopTimer(after: .seconds(seconds)) { signals.arrive() } }
      capture.start()
      await signals.wait()
      await capture.stop()
      exit(capture.status.rawValue)
    }
    Loop.run()
    return .success
  }

  private func start() {
    observer?.start()
    timer = LoopTimer(after: Health.limit) { [weak self] in
      guard let self, !hasBegun else { return }
      end("the bridge does not answer within \(Health.limit.configurationText)")
    }
  }

  private func stop() async {
    timer?.cancel()
    observer?.request("capture", ["device": .text(options.device), "seconds": 0])
    await observer?.stop()
  }

  private func ask() {
    observer?.request("capture", ["device": .text(options.device), "seconds": .integer(Self.lease)])
    if hasBegun { renewLater() }
  }

  private func renewLater() {
    timer?.cancel()
    timer = LoopTimer(after: Self.renewal) { [weak self] in self?.ask() }
  }

  private func take(_ news: BridgeObserver.News) {
    switch news {
    case .connected: ask()
    case .disconnected(let reason):
      if !hasBegun { end("no broker: \(reason)") }
    case .message(let topic, let payload):
      guard let answer = observer?.answer(to: "capture", in: topic, payload) else {
        if hasBegun { stream.write(payload + [UInt8(ascii: "\n")]) }
        return
      }
      if let error = answer["error"]?.asText { return end(error) }
      guard !hasBegun, let header = answer["data"].flatMap({ CaptureHeader($0) }) else { return }
      hasBegun = true
      stream.write(header.line)
      renewLater()
    }
  }

  private func end(_ words: String) {
    status = .failure.because(words)
    onEnd()
  }
}
