import Glibc

/// The system's error numbers as failures of a link.
enum SystemError {
  /// `errno` in the C library's words.
  static var words: String { words(errno) }

  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Why a connection ended.
  static func broken(_ code: Int32) -> LinkFailure {
    switch code {
    // Only for datagrams: the host lives, and nothing listens there.
    case ECONNREFUSED: .refused
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: .unreachable(words(code))
    default: .broken(words(code))
    }
  }

  /// Why no connection came to be.
  ///
  /// - Parameter timeout: What the whole attempt was given.
  static func notConnected(_ code: Int32, timeout: Duration) -> LinkFailure {
    switch code {
    case ECONNREFUSED, ECONNRESET: .refused
    case ETIMEDOUT: .timedOut(after: timeout)
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: .unavailable("no socket: \(words(code))")
    default: .unreachable(words(code))
    }
  }
}
