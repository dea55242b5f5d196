import CLinux
import EventLoop
import Glibc

/// A UDP port of 127.0.0.1 that answers whoever sent to it last.
@Loop final class DatagramSocket {
  let port: UInt16
  private let descriptor: Int32
  private var watch: DescriptorWatch?
  private var client: sockaddr_in?
  private let received: @Loop ([UInt8]) -> Void

  /// Opens `port`, or a free one for 0. It needs ``stop()``.
  init(port: UInt16, received: @escaping @Loop ([UInt8]) -> Void) throws(SocketFailure) {
    self.received = received
    let type = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(AF_INET, Int32(type), 0)
    guard descriptor >= 0 else { throw SocketFailure("socket") }
    do throws(SocketFailure) {
      try LoopbackListener.bind(descriptor, to: port)
      self.port = try LoopbackListener.port(of: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.read() }
  }

  func stop() {
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    close(descriptor)
  }

  /// Takes what has come, and hands it on.
  func read() {
    var buffer = [UInt8](repeating: 0, count: 2048)
    while watch != nil {
      var sender = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
        }
      }
      guard count >= 0 else { return }
      client = sender
      received(Array(buffer.prefix(count)))
    }
  }

  /// Lost when nobody has sent anything yet, or when it cannot leave at once.
  func send(_ bytes: [UInt8]) {
    guard watch != nil, let client else { return }
    withUnsafePointer(to: client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
