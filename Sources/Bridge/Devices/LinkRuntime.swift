import Configuration
import DeviceModel
import EventLoop
import Links

/// One link of a device: carries out what its session machine decides, and counts.
@Loop final class LinkRuntime {
  let role: LinkRole
  let transport: LinkRequirement.Transport
  private var machine: SessionMachine
  private var link: (any Link)?
  private var timer: LoopTimer?
  private let handler: @Loop (LinkRuntime, Event) -> Void
  private(set) var counters = Counters()
  private(set) var lastFailure: LinkFailure?
  /// The most that one send may hold, since the link was last up; nil for a stream.
  private(set) var maximumPacket: Int?
  private var told: LinkFailure?
  private var failedInSession = false

  enum Event {
    case up(maximumPacket: Int?)
    case received([UInt8])
    case sent(UInt64)
    case notSent(UInt64, String, mayHaveArrived: Bool)
    case down(LinkFailure)
    /// What waits for the link can go now, or has failed.
    case deliver
    case refuse(LinkFailure)
    /// The board counts as away; `inSession` when the last failure came after the link was up.
    case unavailable(LinkFailure, inSession: Bool)
  }

  struct Counters: Hashable, Sendable {
    var connects = 0
    var failures = 0
    var bytesReceived = 0
    var bytesSent = 0
    /// Bytes that did not parse.
    var undecodable = 0
  }

  init(
    _ settings: Configuration.Link, factory: LinkFactory,
    handler: @escaping @Loop (LinkRuntime, Event) -> Void
  ) {
    role = settings.role
    transport = settings.transport
    self.handler = handler
    machine = SessionMachine(
      session: settings.session, reconnectsByItself: settings.transport == .ble && settings.session == .held)
    link = factory.make(settings) { [weak self] event in self?.take(event) }
  }

  var phase: SessionMachine.Phase { machine.phase }
  var isUp: Bool { machine.phase == .up }
  var isHeld: Bool { machine.isHeld }

  func start() { perform(machine.start(at: now)) }

  func stop() {
    perform(machine.stop())
    timer?.cancel()
    link = nil
  }

  func wanted() { perform(machine.wanted(at: now, lastFailure: lastFailure)) }
  func sessionFinished() { closing(machine.sessionFinished(at: now), because: .gaveUp("session finished")) }
  func reconnect(after pause: Duration) {
    closing(machine.reconnect(after: pause, at: now), because: .gaveUp("to be looked at anew"))
  }

  func sessionFailed(_ why: String) {
    let failure = LinkFailure.gaveUp(why)
    guard isUp else { return }
    counters.failures += 1
    lastFailure = failure
    failedInSession = true
    closing(machine.sessionFailed(failure, at: now), because: failure)
  }

  func send(_ send: Output.Send) {
    counters.bytesSent += send.bytes.count
    link?.send(send)
  }

  /// Whether `failure` is another than the last one told, or the link has worked since.
  func saysAnew(_ failure: LinkFailure) -> Bool {
    defer { told = failure }
    return told != failure
  }

  /// The link has proved to work: the next failure is news.
  func worked() { told = nil }

  func countUndecodable(_ bytes: Int) { counters.undecodable += bytes }

  var hasUnsent: Bool { link?.hasUnsent ?? false }

  var isReading: Bool {
    get { link?.isReading ?? true }
    set { link?.isReading = newValue }
  }

  private var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }

  private func take(_ event: LinkEvent) {
    switch event {
    case .up(let maximumPacket):
      counters.connects += 1
      self.maximumPacket = maximumPacket
      // The adapter may end the session from here: what the machine says then must not be overridden.
      let actions = machine.linkUp(at: now)
      perform(actions.filter { $0 != .deliver })
      handler(self, .up(maximumPacket: maximumPacket))
      if isUp { handler(self, .deliver) }
    case .received(let bytes):
      counters.bytesReceived += bytes.count
      handler(self, .received(bytes))
    case .sent(let number): handler(self, .sent(number))
    case .notSent(let number, let why, let mayHaveArrived):
      handler(self, .notSent(number, why, mayHaveArrived: mayHaveArrived))
    case .down(let failure):
      counters.failures += 1
      lastFailure = failure
      let wasUp = isUp
      failedInSession = wasUp
      let actions = machine.linkDown(failure, at: now)
      if wasUp { handler(self, .down(failure)) }
      perform(actions)
    }
  }

  /// The adapter learns that its link is down, by its own wish, before anything else happens.
  private func closing(_ actions: [SessionMachine.Action], because failure: LinkFailure) {
    guard !actions.isEmpty else { return }
    link?.disconnect()
    handler(self, .down(failure))
    perform(actions)
  }

  private func perform(_ actions: [SessionMachine.Action]) {
    for action in actions {
      switch action {
      case .connect: link?.connect()
      case .disconnect: link?.disconnect()
      case .setTimer(let delay):
        timer?.cancel()
        timer = LoopTimer(after: delay) { [weak self] in self?.timerFired() }
      case .cancelTimer:
        timer?.cancel()
        timer = nil
      case .deliver: handler(self, .deliver)
      case .refuse(let failure): handler(self, .refuse(failure))
      case .unavailable(let failure): handler(self, .unavailable(failure, inSession: failedInSession))
      }
    }
  }

  private func timerFired() {
    let wasUp = isUp
    let actions = machine.timerFired(at: now)
    if wasUp, !isUp {
      counters.failures += 1
      failedInSession = true
      closing(actions, because: .gaveUp("the session did not end in time"))
    } else {
      perform(actions)
    }
  }
}
