import Glibc

/// A socket address of any family.
struct SocketAddress: Hashable, Sendable {
  /// Its bytes, as many as its family takes.
  private let bytes: [UInt8]

  init(_ information: addrinfo) {
    bytes = Array(UnsafeRawBufferPointer(start: information.ai_addr, count: Int(information.ai_addrlen)))
  }

  /// The address of the near end of `socket`, or of its far end; nil while it has none.
  init?(of descriptor: Int32, far: Bool) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        far ? getpeername(descriptor, $0, &length) : getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { return nil }
    bytes = withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { withPointer { pointer, _ in Int32(pointer.pointee.sa_family) } }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
    return withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }
}
