import Glibc

enum SocketOptions {
  /// Seconds without traffic before the first keep-alive probe, between probes, and probes without an answer.
  private static let keepAlive = (idle: Int32(6), interval: Int32(3), count: Int32(3))
  /// Milliseconds that sent bytes may stay without an acknowledgement, and a silent connection without an answer
  /// to a probe.
  private static let userTimeout: Int32 = 10_000

  /// A non-blocking socket that no child process inherits; its negated error when there is none.
  static func open(_ family: Int32, _ type: __socket_type) -> Int32 {
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(family, Int32(type.rawValue | flags), 0)
    return descriptor >= 0 ? descriptor : -errno
  }

  /// Nagle off, keep-alive on, half-open detection.
  static func prepareTCP(_ descriptor: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, keepAlive.idle)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, keepAlive.interval)
    set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, keepAlive.count)
    set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, userTimeout)
  }

  /// Lets datagrams be cut up on the way rather than refused where a part of the way takes only shorter ones.
  static func prepareUDP(_ descriptor: Int32, family: Int32) {
    if family == AF_INET {
      set(descriptor, Int32(IPPROTO_IP), IP_MTU_DISCOVER, IP_PMTUDISC_DONT)
    } else {
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DONT)
    }
  }

  /// The error of a finished `connect`; 0 when it succeeded.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }

  /// A connection to a port of this machine on which nothing listens succeeds, now and then, with itself: when the
  /// system chose that very port for the near end.
  static func isConnectedToItself(_ descriptor: Int32) -> Bool {
    SocketAddress(of: descriptor, far: false) == SocketAddress(of: descriptor, far: true)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
