import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport

/// A `command_failed` event as it was published.
struct Failure: Equatable {
  var device: String?
  var property: String?
  var reason: String
  var error: String

  /// nil for another message.
  init?(_ message: RecordedMessage) {
    guard let event = try? JSON.parse(message.payload), event["event_type"] == "command_failed",
      case .text(let reason)? = event["reason"], case .text(let error)? = event["error"]
    else { return nil }
    if case .text(let device)? = event["device"] { self.device = device }
    if case .text(let property)? = event["property"] { self.property = property }
    self.reason = reason
    self.error = error
  }
}

extension RecordedMessage {
  var json: Value {
    get throws { try JSON.parse(payload, limits: JSON.Limits(size: 4 << 20)) }
  }
}

extension Value {
  subscript(name: String) -> Value? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var list: [Value] {
    guard case .list(let list) = self else { return [] }
    return list
  }

  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var integer: Int? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }
}

extension SimulatedPowerPlug {
  /// Does something with the plug on its loop.
  func perform<T: Sendable>(_ body: @Loop (SimulatedPowerPlug) -> T) -> T { body(self) }

  /// Does something between two sessions.
  func whenIdle(_ body: @escaping @Loop (SimulatedPowerPlug) -> Void) async throws {
    try await wait(atMost: .patience) { plug in
      guard plug.connectedClients == 0 else { return false }
      body(plug)
      return true
    }
  }

  /// The switchings that reached the board.
  var switchings: [PlugCommand] {
    commands.map(\.command).filter { if case .state = $0 { true } else { false } }
  }
}
