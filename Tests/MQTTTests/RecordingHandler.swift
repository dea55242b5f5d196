import EventLoop
import MQTT
import TestSupport

/// Writes down what a client tells its handler.
@Loop final class RecordingHandler: MQTTHandler {
  enum Event: Equatable, Sendable {
    case connected(MQTTSession)
    case disconnected(DisconnectReason, retries: Bool)
    case received(Message)
    case noticed(MQTTNotice)
  }

  nonisolated let events = Inbox<Event>("what the client told")
  /// Called with each message, on the loop and within the client's call.
  var onMessage: (@Loop (Message) -> Void)?
  var onConnect: (@Loop () -> Void)?

  func mqttConnected(_ session: MQTTSession) {
    events.append(.connected(session))
    onConnect?()
  }

  func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
    events.append(.disconnected(reason, retries: retry != nil))
  }

  func mqttReceived(_ message: Message) {
    events.append(.received(message))
    onMessage?(message)
  }

  func mqttNoticed(_ notice: MQTTNotice) { events.append(.noticed(notice)) }
}

extension RecordingHandler {
  /// Awaits a connection after the first `from` events.
  nonisolated func session(from: Int = 0) async throws -> MQTTSession {
    let event = try await events.first(from: from) { event in
      if case .connected = event { true } else { false }
    }
    guard case .connected(let session) = event else { preconditionFailure("just matched") }
    return session
  }

  nonisolated func reason(
    from: Int = 0, within limit: Duration = .seconds(60),
    where matches: @escaping @Sendable (DisconnectReason) -> Bool = { _ in true }
  ) async throws -> DisconnectReason {
    let event = try await events.first(from: from, within: limit) { event in
      if case .disconnected(let reason, _) = event { matches(reason) } else { false }
    }
    guard case .disconnected(let reason, _) = event else { preconditionFailure("just matched") }
    return reason
  }

  nonisolated func message(
    from: Int = 0, on topic: String, where matches: @escaping @Sendable (Message) -> Bool = { _ in true }
  ) async throws -> Message {
    let event = try await events.first(from: from) { event in
      if case .received(let message) = event { message.topic == topic && matches(message) } else { false }
    }
    guard case .received(let message) = event else { preconditionFailure("just matched") }
    return message
  }
}
