import EventLoop
import Glibc

/// The descriptor of `AcquireNotify`: each packet is one notification.
@Loop final class NotificationReader {
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private let onPacket: @Loop ([UInt8]) -> Void
  private let onEnd: @Loop () -> Void

  /// An attribute has at most 512 bytes.
  private static let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 16)
  /// So that one board that talks without end leaves the others their turn.
  private static let packetsPerTurn = 128

  /// Takes over `descriptor`. `onEnd` is called once, when its other side is closed; not after ``end()``.
  init(_ descriptor: Int32, onPacket: @escaping @Loop ([UInt8]) -> Void, onEnd: @escaping @Loop () -> Void) {
    self.descriptor = descriptor
    self.onPacket = onPacket
    self.onEnd = onEnd
    watch = DescriptorWatch(descriptor, for: .readable) { [unowned self] readiness in self.read(readiness) }
  }

  /// False leaves packets in the socket, then in bluetoothd.
  var isReading = true {
    didSet { watch?.interest = isReading ? .readable : [] }
  }

  func end() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    close(descriptor)
  }

  private func read(_ readiness: Readiness) {
    let hasEnded = !readiness.isDisjoint(with: .hungUp)
    for _ in 0..<Self.packetsPerTurn {
      // A packet's handler may pause the reader or end it.
      guard watch != nil, isReading || hasEnded else { return }
      let count = recv(descriptor, Self.buffer.baseAddress, Self.buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        onPacket([UInt8](UnsafeRawBufferPointer(rebasing: Self.buffer[..<count])))
      } else if count == 0 {
        // An empty notification reads like the end of the connection; only the end hangs up as well.
        if hasEnded { return finish() }
      } else if errno != EINTR {
        if errno != EAGAIN || hasEnded { finish() }
        return
      }
    }
  }

  private func finish() {
    end()
    onEnd()
  }
}
