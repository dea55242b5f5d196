import DBus
import EventLoop
import Glibc

/// Packets to a board in their order, by the descriptor of `AcquireWrite` or, without one, by `WriteValue`, one
/// after the other: BlueZ refuses a second before the first is answered.
@Loop final class PacketWriter {
  typealias Completion = @Loop (Result<Void, BlueZError>) -> Void

  private struct Packet {
    let bytes: [UInt8]
    let completion: Completion
    var attempts = 0
  }

  private let peer: BlueZPeer
  private let characteristics: UARTCharacteristics
  /// −1 without one.
  private var descriptor: Int32
  private var watch: DescriptorWatch?
  private var queue: [Packet] = []
  private var isCalling = false
  private var retry: LoopTimer?

  /// Packets that wait at most.
  static let maximumQueue = 256
  private static let maximumAttempts = 4

  /// Takes over `descriptor`; −1 for none.
  init(_ descriptor: Int32, peer: BlueZPeer, characteristics: UARTCharacteristics) {
    self.descriptor = descriptor
    self.peer = peer
    self.characteristics = characteristics
  }

  /// Whether a packet waits, here or in the descriptor for bluetoothd to read it.
  var hasUnsent: Bool {
    if !queue.isEmpty { return true }
    var count: Int32 = 0
    return descriptor >= 0 && ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
  }

  /// `completion` is called once: before this returns when the system took the packet at once.
  func send(_ bytes: [UInt8], completion: @escaping Completion) {
    if queue.isEmpty, descriptor >= 0 {
      switch write(bytes) {
      case .done: return completion(.success(()))
      case .full: break
      case .ended: endDescriptor()
      }
    }
    guard queue.count < Self.maximumQueue else { return completion(.failure(.queueFull)) }
    queue.append(Packet(bytes: bytes, completion: completion))
    advance()
  }

  /// Nothing is sent from now on; what waits was not sent, by `reason`.
  func end(_ reason: BlueZError) {
    endDescriptor()
    retry?.cancel()
    isCalling = true
    let waiting = queue
    queue = []
    for packet in waiting { packet.completion(.failure(reason)) }
  }

  private enum Outcome { case done, full, ended }

  private func write(_ bytes: [UInt8]) -> Outcome {
    while true {
      let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if count >= 0 { return .done }
      switch errno {
      case EINTR: continue
      case EAGAIN, ENOBUFS: return .full
      default: return .ended
      }
    }
  }

  private func endDescriptor() {
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func advance() {
    if descriptor >= 0 { waitForRoom() } else { callNext() }
  }

  private func waitForRoom() {
    guard watch == nil, !queue.isEmpty else { return }
    watch = DescriptorWatch(descriptor, for: .writable) { [unowned self] _ in self.drain() }
  }

  private func drain() {
    while descriptor >= 0, let packet = queue.first {
      switch write(packet.bytes) {
      case .done:
        queue.removeFirst()
        packet.completion(.success(()))
      case .full: return
      case .ended: endDescriptor()
      }
    }
    watch?.cancel()
    watch = nil
    if descriptor < 0 { callNext() }
  }

  private func callNext() {
    guard !isCalling, let packet = queue.first else { return }
    isCalling = true
    let type = characteristics.takesRequests ? "request" : "command"
    peer.call(
      characteristics.write, Interface.characteristic, "WriteValue",
      [.bytes(packet.bytes), .properties(["type": .string(type)])]
    ) { [weak self] result in
      self?.answered(result)
    }
  }

  private func answered(_ result: Result<[DBusValue], BlueZError>) {
    guard !queue.isEmpty else { return }
    if case .failure(.inProgress) = result, queue[0].attempts < Self.maximumAttempts {
      // Another program writes to the board.
      queue[0].attempts += 1
      retry = LoopTimer(after: .milliseconds(50)) { [weak self] in
        self?.isCalling = false
        self?.callNext()
      }
      return
    }
    let packet = queue.removeFirst()
    isCalling = false
    packet.completion(result.map { _ in })
    callNext()
  }
}
