/// Why there is no connection.
public enum DisconnectReason: Equatable, Sendable, CustomStringConvertible {
  /// Name look-up or TCP connect failed, with the system's words.
  case unreachable(String)
  /// No answer within ``MQTTSettings/connectDeadline``.
  case connectTimedOut
  /// The TLS handshake failed, or its files could not be used; with the library's words.
  case tls(String)
  /// The broker answered and declined.
  case refused(Refusal)
  /// Another client uses our client id: the broker said so.
  case takenOver(clientID: String)
  /// The broker closed several young connections in a row, as it does when another client uses our client id.
  case takenOverPresumably(clientID: String, times: Int)
  /// The connection broke or the broker closed it.
  case lost(String)
  /// The broker closed the connection and said why (MQTT 5).
  case closedByBroker(Refusal)
  /// The broker did not answer for twice the keep-alive time.
  case silent
  /// What arrived was not MQTT.
  case protocolError(String)
  /// ``MQTTClient/stop(saying:within:)`` ended it.
  case stopped

  public var description: String {
    switch self {
    case .unreachable(let detail): "cannot reach the broker: \(detail)"
    case .connectTimedOut: "the broker does not answer"
    case .tls(let detail): "TLS: \(detail)"
    case .refused(let refusal): "the broker refuses: \(refusal)"
    case .takenOver(let id): "another client uses the client id '\(id)'"
    case .takenOverPresumably(let id, let times):
      "the broker closed \(times) young connections in a row: probably another client uses the client id '\(id)'"
    case .lost(let detail): "connection lost: \(detail)"
    case .closedByBroker(let refusal): "the broker closed the connection: \(refusal)"
    case .silent: "the broker fell silent"
    case .protocolError(let detail): "the broker does not speak MQTT properly: \(detail)"
    case .stopped: "stopped"
    }
  }
}
