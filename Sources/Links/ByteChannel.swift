import DeviceModel
import EventLoop
import Glibc

/// Bytes in and out of a descriptor: what TCP, UDP and serial links have in common once they are connected.
///
/// It lasts as long as its link, and is given one descriptor after the other. Each numbered send is reported as
/// sent or not sent, once and before ``LinkEvent/down(_:)``, unless ``close()`` is called first. Sends that come
/// while nothing is open are reported as not sent.
@Loop final class ByteChannel {
  private let medium: ChannelMedium
  private let handler: LinkEvent.Handler
  private var descriptor: Int32?
  private var watch: DescriptorWatch?
  private var outbox = Outbox()
  private var expiry: LoopTimer?
  private let reports: Reports
  /// Why the descriptor will be closed at the end of the turn: nothing more is written to it.
  private var ending: LinkFailure?
  private var isBlocked = false
  private var isHungUp = false
  /// Count what was opened and what the owner closed, so that a handler's caller sees what the handler did.
  private var opened = 0
  private var closed = 0

  /// Chunks of bytes read in one turn from a connection that cannot be written any more.
  private static let lastChunks = 64
  /// Every channel reads into this, and passes a copy on.
  private static let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ChannelMedium.longestRead, alignment: 16)

  init(_ medium: ChannelMedium, handler: @escaping LinkEvent.Handler) {
    self.medium = medium
    self.handler = handler
    reports = Reports(handler)
  }

  var isReading = true {
    didSet {
      if isHungUp, isReading { watchAnew() } else { updateInterest() }
    }
  }

  /// Whether bytes wait here or in the system.
  var hasUnsent: Bool {
    guard let descriptor, ending == nil else { return false }
    return !outbox.isEmpty || medium.hasUnsent(descriptor)
  }

  /// Takes over `descriptor`, which is non-blocking and closed by the channel. Only after ``close()``, after `down`,
  /// or at first.
  func open(_ descriptor: Int32) {
    self.descriptor = descriptor
    opened += 1
    watchAnew()
    isReading = true
  }

  /// Nothing is delivered after it returns; what was not sent is dropped.
  func close() {
    closed += 1
    reports.forget()
    _ = outbox.removeAll()
    release()
  }

  func send(_ send: Output.Send) {
    guard descriptor != nil else {
      reports.notSent(send.number, "not connected")
      return
    }
    for number in outbox.makeWay(for: send) { reports.notSent(number, "overtaken by a later command") }
    do throws(LinkFailure) {
      let superseded = try outbox.append(send, at: now)
      reports.notSent(superseded, "superseded by a later command")
    } catch {
      reports.notSent(send.number, error.description)
      endSoon(error)
      return
    }
    // What waits behind an unfinished write leaves when the descriptor takes more.
    if isBlocked { setExpiry() } else { flush() }
  }

  // MARK: reading

  private func isReady(_ readiness: Readiness) {
    let current = opened
    let isHungUp = !readiness.isDisjoint(with: .hungUp)
    if isReading {
      if isHungUp || readiness.contains(.readable) { receive() }
    } else if isHungUp {
      // It would be told in every turn. What came before is read when there is room for it, and the end after it.
      self.isHungUp = true
      watch?.cancel()
    }
    if current == opened, descriptor != nil, readiness.contains(.writable) { flush() }
  }

  /// Whether more may have to be read.
  @discardableResult private func receive() -> Bool {
    guard let descriptor else { return false }
    let count = medium.read(descriptor, into: Self.buffer)
    switch count {
    case 1...:
      handler(.received(Array(UnsafeRawBufferPointer(rebasing: Self.buffer[..<count]))))
      return true
    case 0:
      if let failure = medium.endOfBytes { end(ending ?? failure) } else { handler(.received([])) }
    case -Int(EAGAIN), -Int(EINTR): break
    default: end(ending ?? medium.failure(Int32(-count)))
    }
    return false
  }

  // MARK: writing

  private func flush() {
    guard let descriptor, ending == nil else { return }
    // What never had to wait is not late.
    if isBlocked {
      for number in outbox.dropExpired(at: now) { reports.notSent(number, "could not leave in time") }
    }
    isBlocked = false
    while !isBlocked, let head = outbox.head {
      let count = medium.write(descriptor, head)
      switch count {
      case 0...:
        reports.sent(outbox.advance(by: count))
      case -Int(EINTR): break
      case -Int(EAGAIN): isBlocked = true
      default:
        endSoon(medium.failure(Int32(-count)))
        return
      }
    }
    updateInterest()
    setExpiry()
  }

  private func setExpiry() {
    expiry?.cancel()
    expiry = outbox.nextExpiry.map { due in
      LoopTimer(after: due - now) { [weak self] in self?.flush() }
    }
  }

  private var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }

  // MARK: watching

  private func watchAnew() {
    guard let descriptor else { return }
    isHungUp = false
    watch = DescriptorWatch(descriptor, for: interest) { [weak self] in self?.isReady($0) }
  }

  private func updateInterest() { watch?.interest = interest }

  private var interest: Readiness {
    var interest: Readiness = []
    if isReading { interest.insert(.readable) }
    if isBlocked { interest.insert(.writable) }
    return interest
  }

  // MARK: ending

  private func release() {
    watch?.cancel()
    watch = nil
    expiry?.cancel()
    expiry = nil
    ending = nil
    isBlocked = false
    isHungUp = false
    if let descriptor { medium.close(descriptor) }
    descriptor = nil
  }

  private func end(_ failure: LinkFailure) {
    release()
    reports.end(failure, unsent: outbox.removeAll())
  }

  /// Ends the connection after the caller, which may be the owner, has returned. What the board had said before
  /// is still heard.
  private func endSoon(_ failure: LinkFailure) {
    guard ending == nil else { return }
    ending = failure
    let current = (opened, closed)
    Loop.atTurnEnd {
      var chunks = 0
      while current == (self.opened, self.closed), self.descriptor != nil {
        chunks += 1
        if self.isReading, chunks <= Self.lastChunks, self.receive() { continue }
        if current == (self.opened, self.closed), self.descriptor != nil { self.end(failure) }
      }
    }
  }
}
