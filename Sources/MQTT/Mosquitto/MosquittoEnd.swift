import CMosquitto
import Glibc

/// How a connection ended.
struct MosquittoEnd {
  /// A `MOSQ_ERR_…` code below 0x80, an MQTT 5 reason code of the broker from there on.
  var code: Int32
  /// `errno`, or with `MOSQ_ERR_EAI` the resolver's code.
  var systemCode: Int32
  /// What the library logged as errors while it connected.
  var log: [String]

  /// Whether there was a connection.
  var hadConnection: Bool

  /// Whether the broker closed the connection without a word, or it broke.
  var isRemoteClose: Bool {
    hadConnection && [MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_ERRNO.code, MOSQ_ERR_SUCCESS.code].contains(code)
  }

  /// Whether the broker closed the connection in good order, without a word.
  var isClean: Bool { [MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_SUCCESS.code].contains(code) }

  /// For an attempt that led to no answer.
  var reasonOfFailure: DisconnectReason {
    switch code {
    case MOSQ_ERR_EAI.code: .unreachable(String(cString: gai_strerror(systemCode)))
    case MOSQ_ERR_ERRNO.code where systemCode != EPROTO: .unreachable(String(cString: strerror(systemCode)))
    case MOSQ_ERR_ERRNO.code, MOSQ_ERR_TLS.code: .tls(TLSFailure.words(from: log))
    case MOSQ_ERR_CONN_LOST.code: .unreachable("the broker closed the connection before it answered")
    default: reasonOfLoss
    }
  }

  /// For a connection that was open.
  var reasonOfLoss: DisconnectReason {
    switch code {
    case 0x80...0xFF: .closedByBroker(Refusal(code: UInt8(truncatingIfNeeded: code)))
    case MOSQ_ERR_KEEPALIVE.code: .silent
    case MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_SUCCESS.code: .lost("closed by the broker")
    // The library closes its socket before it asks for the reason, which is gone with it.
    case MOSQ_ERR_ERRNO.code where systemCode == EBADF || systemCode == 0: .lost("no reason is known")
    case MOSQ_ERR_ERRNO.code: .lost(String(cString: strerror(systemCode)))
    case MOSQ_ERR_PROTOCOL.code, MOSQ_ERR_MALFORMED_PACKET.code, MOSQ_ERR_MALFORMED_UTF8.code:
      .protocolError(MosquittoLibrary.words(for: code))
    default: .lost(MosquittoLibrary.words(for: code))
    }
  }
}

/// OpenSSL's error lines, made readable.
enum TLSFailure {
  /// The most telling of `log`: what the library itself found, else what OpenSSL gave as its reason.
  static func words(from log: [String]) -> String {
    let own = log.first { $0.hasPrefix("Error: ") }.map { String($0.dropFirst("Error: ".count)) }
    let reasons = log.compactMap { line -> String? in
      guard line.hasPrefix("OpenSSL Error") else { return nil }
      return line.split(separator: ":").last.map(String.init)
    }
    return own ?? reasons.first ?? "the handshake failed"
  }
}
