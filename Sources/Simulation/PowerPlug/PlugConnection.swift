import CLinux
import EventLoop
import Glibc

/// One accepted client: what it sends goes to a handler at once, what it gets waits in a queue of messages
/// that leave in segments, each with a delay before it.
@Loop final class PlugConnection {
  let number: Int
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private let received: @Loop ([UInt8]) -> Void
  private let ended: @Loop () -> Void
  private var queue: [Message] = []
  private var queuedBytes = 0
  private var timer: LoopTimer?
  private var sentBytes = 0
  private var clientIsDone = false
  private var isOpen = true

  /// RST after this many sent bytes.
  var resetsAfterBytes: Int? { didSet { if isOpen { pump() } } }
  /// No event of the socket is noticed and nothing is sent, until set back.
  var isFrozen = false {
    didSet {
      guard isOpen, isFrozen != oldValue else { return }
      if isFrozen { stopWatching() } else { pump() }
    }
  }

  private struct Message {
    var unsent: ArraySlice<UInt8>
    let segmentSize: Int
    /// Between its segments.
    let pause: Duration
    /// Before its next segment.
    var delay: Duration
  }

  /// Unsent bytes from which on the client is no longer read: a sketch's `write` would block.
  private static let queueLimit = 16_384

  /// Owns `descriptor`. `ended` is called once, when the client or a fault ended the connection, not after
  /// ``close()`` or ``reset()``.
  init(
    _ descriptor: Int32, number: Int, received: @escaping @Loop ([UInt8]) -> Void,
    ended: @escaping @Loop () -> Void
  ) {
    self.descriptor = descriptor
    self.number = number
    self.received = received
    self.ended = ended
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    watchSocket()
  }

  /// Sends `bytes` in segments of at most `size`, the first after `delay`, each other after `pause`.
  func send(_ bytes: [UInt8], after delay: Duration, segmentSize size: Int?, pause: Duration) {
    guard isOpen, !bytes.isEmpty else { return }
    let size = max(1, size ?? bytes.count)
    queue.append(Message(unsent: bytes[...], segmentSize: size, pause: pause, delay: delay))
    queuedBytes += bytes.count
    pump()
  }

  /// Ends the connection with FIN.
  func close() {
    guard isOpen else { return }
    isOpen = false
    stopWatching()
    queue = []
    queuedBytes = 0
    Glibc.close(descriptor)
  }

  /// Ends the connection with RST.
  func reset() {
    guard isOpen else { return }
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  private func end() {
    guard isOpen else { return }
    close()
    ended()
  }

  private func watchSocket() {
    guard watch == nil else { return }
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] readiness in
      self?.handle(readiness)
    }
  }

  private func stopWatching() {
    watch?.cancel()
    watch = nil
    timer?.cancel()
    timer = nil
  }

  private func handle(_ readiness: Readiness) {
    if readiness.contains(.readable), watch?.interest.contains(.readable) == true { readOnce() }
    guard isOpen, !isFrozen else { return }
    if !readiness.isDisjoint(with: .hungUp) { return end() }
    if readiness.contains(.writable) { pump() }
  }

  private func readOnce() {
    // Few, since each byte may ask for a whole table.
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 {
      received(Array(buffer.prefix(count)))
    } else if count == 0 {
      clientIsDone = true
    } else if errno != EAGAIN && errno != EINTR {
      return end()
    }
    pump()
  }

  /// Sends what may be sent now, and watches for what comes next.
  private func pump() {
    guard isOpen, !isFrozen else { return }
    watchSocket()
    var isBlocked = false
    while timer == nil, !isBlocked, let first = queue.first {
      if first.delay > .zero {
        queue[0].delay = .zero
        timer = LoopTimer(after: first.delay) { [weak self] in
          self?.timer = nil
          self?.pump()
        }
        break
      }
      isBlocked = !sendFirst()
      if !isOpen { return }
    }
    if resetsAfterBytes.map({ sentBytes >= $0 }) ?? false {
      reset()
      return ended()
    }
    if queue.isEmpty && clientIsDone { return end() }
    var interest: Readiness = isBlocked ? .writable : []
    if !clientIsDone && queuedBytes < Self.queueLimit { interest.insert(.readable) }
    watch?.interest = interest
  }

  /// False when the socket takes no more at the moment, or a fault wants no more sent.
  private func sendFirst() -> Bool {
    let allowance = resetsAfterBytes.map { max(0, $0 - sentBytes) } ?? .max
    let segment = queue[0].unsent.prefix(min(allowance, queue[0].segmentSize))
    if segment.isEmpty { return false }
    let count = segment.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count >= 0 else {
      if errno != EAGAIN && errno != EINTR { end() }
      return false
    }
    sentBytes += count
    queuedBytes -= count
    queue[0].unsent = queue[0].unsent.dropFirst(count)
    queue[0].delay = queue[0].pause
    if queue[0].unsent.isEmpty { queue.removeFirst() }
    return true
  }
}
