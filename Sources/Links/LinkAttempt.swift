import EventLoop

/// One attempt at a time to open a link, with its deadline, and the end of what came of it: what links over a
/// descriptor have in common beside their channel.
@Loop final class LinkAttempt {
  private let timeout: Duration
  private let handler: LinkEvent.Handler
  private var timer: LoopTimer?
  private(set) var phase = Phase.idle
  /// Lets go of what the attempt has begun, when its time is over or it has failed.
  var letGo: @Loop () -> Void = {}

  enum Phase { case idle, trying, up }

  /// - Parameter timeout: For the whole of an attempt.
  init(timeout: Duration, handler: @escaping LinkEvent.Handler) {
    self.timeout = timeout
    self.handler = handler
  }

  /// False when there is one already, or the link is up.
  func begin() -> Bool {
    guard phase == .idle else { return false }
    phase = .trying
    wait(timeout) { [weak self] in
      guard let self else { return }
      fail(.timedOut(after: timeout))
    }
    return true
  }

  /// Calls `body` after `delay`, in place of what the attempt would have waited for.
  func wait(_ delay: Duration, then body: @escaping @Loop () -> Void) {
    timer?.cancel()
    timer = LoopTimer(after: delay, body)
  }

  /// The link is up: tells so. The channel is open before.
  func succeed(maximumPacket: Int?) {
    timer?.cancel()
    timer = nil
    phase = .up
    handler(.up(maximumPacket: maximumPacket))
  }

  /// Ends the attempt, or what came of it, without a word.
  func abandon() {
    timer?.cancel()
    timer = nil
    phase = .idle
  }

  func fail(_ failure: LinkFailure) {
    letGo()
    abandon()
    handler(.down(failure))
  }

  /// Passes on what the open channel tells.
  func take(_ event: LinkEvent) {
    if case .down = event { phase = .idle }
    handler(event)
  }
}
