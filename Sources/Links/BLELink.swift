public import BlueZ
public import DeviceModel
public import EventLoop

/// A board over Bluetooth LE: its UART service, or all of its services.
///
/// A held link goes on by itself after each `down`: connections are granted in turn to all boards of an adapter,
/// and only the central knows whose turn it is. Any other link makes one attempt within its time.
@Loop public final class BLELink: Link {
  private let port: any BoardPort
  private let isHeld: Bool
  private let timeout: Duration
  private let handler: LinkEvent.Handler

  private let reports: Reports
  private let queue: PacketQueue
  private var deadline: LoopTimer?
  /// Counts connections and ends, so that what is put off to the end of the turn sees that there was one.
  private var period = 0

  /// - Parameters:
  ///   - uart: Closed, and used by nobody else.
  ///   - timeout: For an attempt of a link that is not held; for a held one, after this long without a connection
  ///     the reason is told once.
  public convenience init(
    _ uart: BluetoothUART, isHeld: Bool, timeout: Duration, handler: @escaping LinkEvent.Handler
  ) {
    self.init(port: uart, isHeld: isHeld, timeout: timeout, handler: handler)
  }

  /// As for a UART; what goes over the link is ``AttributeOrder`` and ``AttributeNews``.
  public convenience init(
    _ peripheral: BluetoothPeripheral, isHeld: Bool, timeout: Duration, handler: @escaping LinkEvent.Handler
  ) {
    self.init(port: AttributePort(peripheral), isHeld: isHeld, timeout: timeout, handler: handler)
  }

  private init(port: any BoardPort, isHeld: Bool, timeout: Duration, handler: @escaping LinkEvent.Handler) {
    self.port = port
    self.isHeld = isHeld
    self.timeout = timeout
    self.handler = handler
    let reports = Reports(handler)
    self.reports = reports
    queue = PacketQueue(reports) { packet, completion in
      port.send(packet) { completion($0.mapError { LinkFailure(unsent: $0) }) }
    }
    port.onReceive = { [weak self] bytes in self?.handler(.received(bytes)) }
    port.onStateChange = { [weak self] event in self?.take(event) }
  }

  isolated deinit { disconnect() }

  public var isReading: Bool {
    get { port.isReading }
    set { port.isReading = newValue }
  }

  public var hasUnsent: Bool { queue.hasUnsent || port.hasUnsent }

  public func connect() {
    guard !port.isOpen else { return }
    port.open()
    setDeadline()
  }

  public func disconnect() {
    _ = leave()
    reports.forget()
    port.close()
  }

  public func send(_ send: Output.Send) {
    do throws(LinkFailure) {
      try queue.send(send)
    } catch {
      endSoon(error)
    }
  }

  private func take(_ event: BluetoothUART.Event) {
    switch event {
    case .up(let maximumPacket):
      _ = leave()
      queue.open(maximumPacket: maximumPacket)
      handler(.up(maximumPacket: maximumPacket))
    case .down(let error): end(LinkFailure(error))
    }
  }

  /// A held link has its time anew, before its owner hears of the end and perhaps closes it.
  private func end(_ failure: LinkFailure) {
    let unsent = leave()
    if isHeld { setDeadline() } else { port.close() }
    reports.end(failure, unsent: unsent)
  }

  /// The board takes less than is sent: the connection ends after the owner has returned.
  private func endSoon(_ failure: LinkFailure) {
    let current = period
    Loop.atTurnEnd { [weak self] in
      guard let self, period == current else { return }
      let unsent = leave()
      port.close()
      reports.end(failure, unsent: unsent)
    }
  }

  private func leave() -> [UInt64] {
    period += 1
    deadline?.cancel()
    deadline = nil
    return queue.close()
  }

  private func setDeadline() {
    deadline?.cancel()
    deadline = LoopTimer(after: timeout) { [weak self] in
      guard let self, port.obstacle != nil else { return }
      tooLate(port.obstacle.map { LinkFailure($0) } ?? .timedOut(after: timeout))
    }
  }

  /// Of a held link the reason is told once; it goes on without.
  private func tooLate(_ failure: LinkFailure) {
    let unsent = leave()
    if !isHeld { port.close() }
    reports.end(failure, unsent: unsent)
  }
}

extension LinkFailure {
  /// The answer to a packet.
  init(unsent error: BlueZError) {
    self = error.provesNothingWasWritten ? LinkFailure(error) : .unproven(error.description)
  }

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
