import EventLoop
import Glibc

/// One accepted client: what it sends goes to a handler at once, what it gets waits in a queue of segments,
/// each with a delay before it.
@Loop final class PlugConnection {
  let number: Int
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private let received: @Loop ([UInt8]) -> Void
  private let ended: @Loop () -> Void
  private var queue: [Segment] = []
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

  private struct Segment {
    var bytes: ArraySlice<UInt8>
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
    for start in stride(from: 0, to: bytes.count, by: size) {
      let slice = bytes[start..<min(start + size, bytes.count)]
      queue.append(Segment(bytes: slice, delay: start == 0 ? delay : pause))
    }
    pump()
  }

  /// Ends the connection with FIN.
  func close() {
    guard isOpen else { return }
    isOpen = false
    stopWatching()
    queue = []
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
    var buffer = [UInt8](repeating: 0, count: 4096)
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
    let unsent = queue.reduce(0) { $0 + $1.bytes.count }
    if !clientIsDone && unsent < Self.queueLimit { interest.insert(.readable) }
    watch?.interest = interest
  }

  /// False when the socket takes no more at the moment, or a fault wants no more sent.
  private func sendFirst() -> Bool {
    let allowance = resetsAfterBytes.map { max(0, $0 - sentBytes) } ?? .max
    let bytes = queue[0].bytes.prefix(allowance)
    if bytes.isEmpty { return false }
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count >= 0 else {
      if errno != EAGAIN && errno != EINTR { end() }
      return false
    }
    sentBytes += count
    queue[0].bytes = queue[0].bytes.dropFirst(count)
    if queue[0].bytes.isEmpty { queue.removeFirst() }
    return true
  }
}
