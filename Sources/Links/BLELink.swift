public import BlueZ
public import DeviceModel
public import EventLoop

/// The UART service of a board over Bluetooth LE.
///
/// A held link goes on by itself after each `down`: connections are granted in turn to all boards of an adapter,
/// and only the central knows whose turn it is. Any other link makes one attempt within its time.
@Loop public final class BLELink: Link {
  private let uart: BluetoothUART
  private let isHeld: Bool
  private let timeout: Duration
  private let handler: LinkEvent.Handler

  private var outbox = Outbox()
  private var maximumPacket = 20
  private var isSending = false
  private var isPumping = false
  private var deadline: LoopTimer?
  /// Counts connections and disconnections, so that a late completion of an earlier one is known as such.
  private var period = 0

  /// - Parameters:
  ///   - uart: Closed, and used by nobody else.
  ///   - timeout: For an attempt of a link that is not held; for a held one, after this long without a connection
  ///     the reason is told once.
  public init(_ uart: BluetoothUART, isHeld: Bool, timeout: Duration, handler: @escaping LinkEvent.Handler) {
    self.uart = uart
    self.isHeld = isHeld
    self.timeout = timeout
    self.handler = handler
    uart.onReceive = { [weak self] bytes in self?.handler(.received(bytes)) }
    uart.onStateChange = { [weak self] event in self?.take(event) }
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { uart.isReading }
    set { uart.isReading = newValue }
  }

  public func connect() {
    guard !uart.isOpen else { return }
    uart.open()
    setDeadline()
  }

  public func disconnect() {
    uart.close()
    reset()
    _ = outbox.removeAll()
  }

  public func send(_ send: Output.Send) {
    guard uart.isUp else {
      notSent(send.number, "not connected")
      return
    }
    do throws(LinkFailure) {
      notSent(try outbox.append(send, at: now), "superseded by a later command")
    } catch {
      notSent(send.number, error.description)
      return
    }
    sendNext()
  }

  private func take(_ event: BluetoothUART.Event) {
    switch event {
    case .up(let maximumPacket):
      reset()
      self.maximumPacket = maximumPacket
      handler(.up(maximumPacket: maximumPacket))
    case .down(let error):
      let wasOpen = uart.isOpen
      if !isHeld { uart.close() }
      end(LinkFailure(error))
      if isHeld, wasOpen { setDeadline() }
    }
  }

  private func end(_ failure: LinkFailure) {
    reset()
    for number in outbox.removeAll() { handler(.notSent(number, failure.description)) }
    handler(.down(failure))
  }

  private func reset() {
    period += 1
    isSending = false
    deadline?.cancel()
    deadline = nil
  }

  private func setDeadline() {
    deadline?.cancel()
    deadline = LoopTimer(after: timeout) { [weak self] in
      guard let self, !uart.isUp else { return }
      let failure = uart.obstacle.map { LinkFailure($0) } ?? .timedOut(after: timeout)
      if !isHeld { uart.close() }
      end(failure)
    }
  }

  /// One packet at a time. A packet that is done before `send` returns is followed by the next in the same loop.
  private func sendNext() {
    guard !isPumping else { return }
    isPumping = true
    for number in outbox.dropExpired(at: now) { notSent(number, "could not leave in time") }
    while !isSending, let head = outbox.head {
      let packet = Array(head.prefix(maximumPacket))
      let current = period
      isSending = true
      uart.send(packet) { [weak self] result in
        guard let self, self.period == current else { return }
        isSending = false
        finished(packet.count, result)
        sendNext()
      }
    }
    isPumping = false
  }

  private func finished(_ count: Int, _ result: Result<Void, BlueZError>) {
    switch result {
    case .success: if let number = outbox.advance(by: count) { soon(.sent(number)) }
    case .failure(let error): for number in outbox.removeAll() { notSent(number, error.description) }
    }
  }

  private func notSent(_ number: UInt64?, _ why: String) {
    if let number { soon(.notSent(number, why)) }
  }

  private func soon(_ event: LinkEvent) {
    let current = period
    Loop.atTurnEnd { [weak self] in
      if let self, period == current { handler(event) }
    }
  }

  private var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }
}

extension LinkFailure {
  /// What BlueZ or the board behind it says, as any link would.
  init(_ error: BlueZError) {
    switch error {
    case .notSeen, .connectionTimedOut, .connectionAborted, .connectionFailed, .connectionCanceled:
      self = .unreachable(error.description)
    case .dropped, .boardRemoved: self = .broken(error.description)
    case .connectionBusy: self = .refused
    default: self = .unavailable(error.description)
    }
  }
}
