/// Why a call brought no answer, or the wrong one.
public enum DBusError: Error, Sendable, Equatable {
  /// The other side, or the bus in its place, answered with an error.
  case remote(name: String, message: String)
  /// The bus cannot be reached: no socket there, no right to it, or not a bus.
  case unreachable(name: String, message: String)
  /// Nothing came within the deadline of the call.
  case timedOut
  /// The connection ended before the answer.
  case disconnected
  /// The caller gave the call up.
  case cancelled
  /// The arguments cannot be put into a message.
  case unsendable(DBusEncodingError)
  /// An answer came, but not with the arguments that the method promises.
  case unexpectedReply(signature: String)
}

extension DBusError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
    case .unreachable(_, let message): message
    case .timedOut: "no answer in time"
    case .disconnected: "the connection to the bus ended"
    case .cancelled: "given up"
    case .unsendable(let error): "not sent: \(error)"
    case .unexpectedReply(let signature): "an answer of the unexpected type '\(signature)'"
    }
  }
}

/// Why a value has no form on the wire.
public enum DBusEncodingError: Error, Sendable, Equatable {
  /// Strings on a bus end at their first NUL.
  case stringContainsNUL
  case invalidSignature(String)
  /// An element of an array or dictionary has another type than that says.
  case elementType(expected: String, found: String)
  case closedDescriptor
  /// More than 64 containers in each other.
  case nestedTooDeeply
  /// A bus name, interface or member that D-Bus does not allow.
  case invalidName(String)
}
