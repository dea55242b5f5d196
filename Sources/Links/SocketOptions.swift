import Glibc

enum SocketOptions {
  /// Seconds without traffic before the first keep-alive probe, between probes, and probes without an answer.
  private static let keepAlive = (idle: Int32(6), interval: Int32(3), count: Int32(3))
  /// Milliseconds that sent bytes may stay without an acknowledgement.
  private static let userTimeout: Int32 = 10_000

  /// Nagle off, keep-alive on, half-open detection.
  static func prepare(_ descriptor: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, keepAlive.idle)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, keepAlive.interval)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, keepAlive.count)
    set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, userTimeout)
  }

  /// The error of a finished `connect`; 0 when it succeeded.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

enum SystemError {
  /// `errno` in the C library's words.
  static var words: String { words(errno) }

  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  static var linkFailure: LinkFailure { linkFailure(errno) }

  static func linkFailure(_ code: Int32) -> LinkFailure {
    switch code {
    case ECONNREFUSED: .refused
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable(words(code))
    default: .broken(words(code))
    }
  }
}
