import CLinux
import DBus
import EventLoop
import Glibc

/// bluetoothd's side of a descriptor that it gave out: packets over a Unix socket.
@Loop final class SimulatedSocket {
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private let onPacket: @Loop ([UInt8]) -> Void
  private let onEnd: @Loop () -> Void

  /// Makes a pair and gives the other side away with the answer to `AcquireNotify` or `AcquireWrite`.
  ///
  /// - Parameters:
  ///   - onPacket: What the client wrote.
  ///   - onEnd: The client closed its side; not after ``close()``.
  init?(
    giving: (OwnedDescriptor) -> Void, onPacket: @escaping @Loop ([UInt8]) -> Void,
    onEnd: @escaping @Loop () -> Void
  ) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { return nil }
    descriptor = pair[0]
    giving(OwnedDescriptor(pair[1]))
    self.onPacket = onPacket
    self.onEnd = onEnd
    watch = DescriptorWatch(pair[0], for: .readable) { [unowned self] _ in self.receive() }
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while watch != nil {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        onPacket(Array(buffer[..<count]))
      } else if count < 0 && errno == EAGAIN {
        return
      } else {
        close()
        onEnd()
      }
    }
  }

  /// False when the client reads too slowly.
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func close() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    Glibc.close(descriptor)
  }
}
