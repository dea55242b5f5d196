import DeviceModel
import EventLoop

/// Sends cut into packets, one of them on its way at a time, for a link that says of each when it is done.
@Loop final class PacketQueue {
  typealias Completion = @Loop (Result<Void, LinkFailure>) -> Void

  private let reports: Reports
  private let transmit: @Loop (_ packet: [UInt8], _ completion: @escaping Completion) -> Void
  private var outbox = Outbox()
  private var maximumPacket = 0
  private var isOpen = false
  private var isSending = false
  private var isPumping = false
  /// The number of the send whose last packet is on its way.
  private var lastPacketOf: UInt64?
  private var expiry: LoopTimer?
  /// Counts openings, so that a completion of an earlier one is known as such.
  private var period = 0

  /// - Parameter transmit: Puts one packet on its way and calls the completion once, before it returns or later.
  init(_ reports: Reports, transmit: @escaping @Loop ([UInt8], @escaping Completion) -> Void) {
    self.reports = reports
    self.transmit = transmit
  }

  var hasUnsent: Bool { isOpen && (isSending || !outbox.isEmpty) }

  func open(maximumPacket: Int) {
    _ = close()
    self.maximumPacket = max(1, maximumPacket)
    isOpen = true
  }

  /// Forgets everything; returns the numbers of what did not leave whole.
  func close() -> [UInt64] {
    period += 1
    isOpen = false
    isSending = false
    expiry?.cancel()
    expiry = nil
    defer { lastPacketOf = nil }
    return [lastPacketOf].compactMap(\.self) + outbox.removeAll()
  }

  /// Throws when there is no room; the number of `send` is told, and nothing is sent any more until ``open``.
  func send(_ send: Output.Send) throws(LinkFailure) {
    guard isOpen else {
      reports.notSent(send.number, "not connected")
      return
    }
    for number in outbox.makeWay(for: send) { reports.notSent(number, "overtaken by a later command") }
    do throws(LinkFailure) {
      reports.notSent(try outbox.append(send, at: now), "superseded by a later command")
    } catch {
      reports.notSent(send.number, error.description)
      isOpen = false
      throw error
    }
    pump()
  }

  /// A packet that is done before `transmit` returns is followed by the next in the same loop.
  private func pump() {
    guard !isPumping else { return }
    isPumping = true
    while isOpen, !isSending, let head = outbox.head {
      let packet = Array(head.prefix(maximumPacket))
      // Taken off before it is on its way, where nothing can supersede or outlive it.
      let number = outbox.advance(by: packet.count)
      guard !packet.isEmpty else {
        reports.sent(number)
        continue
      }
      isSending = true
      lastPacketOf = number
      let current = period
      transmit(packet) { [weak self] result in
        if let self, period == current { finished(result) }
      }
    }
    isPumping = false
    setExpiry()
  }

  private func finished(_ result: Result<Void, LinkFailure>) {
    isSending = false
    let number = lastPacketOf
    lastPacketOf = nil
    switch result {
    case .success: reports.sent(number)
    case .failure(let failure):
      reports.notSent(number, failure.description, mayHaveArrived: failure.mayHaveArrived)
      for number in outbox.removeAll() { reports.notSent(number, failure.description) }
    }
    dropExpired()
    pump()
  }

  private func dropExpired() {
    for number in outbox.dropExpired(at: now) { reports.notSent(number, "could not leave in time") }
  }

  private func setExpiry() {
    expiry?.cancel()
    expiry = outbox.nextExpiry.map { due in
      LoopTimer(after: due - now) { [weak self] in
        self?.dropExpired()
        self?.setExpiry()
      }
    }
  }

  private var now: Duration { .nanoseconds(MonotonicTime.now.nanoseconds) }
}
