public import EventLoop

/// A signal that arrived.
public struct DBusSignal: Sendable, Equatable {
  /// The unique name of who sent it. Anybody on the bus may send a signal of any interface to us: compare with
  /// the owner of the service.
  public let sender: String
  public let path: ObjectPath
  public let interface: String
  public let member: String
  public let arguments: [DBusValue]
}

/// A subscription to signals, until cancelled or the connection ends.
@Loop public final class SignalSubscription {
  let rule: MatchRule
  private(set) var handler: (@Loop (DBusSignal) -> Void)?
  private weak var connection: DBusConnection?

  init(_ rule: MatchRule, connection: DBusConnection, handler: @escaping @Loop (DBusSignal) -> Void) {
    self.rule = rule
    self.connection = connection
    self.handler = handler
  }

  /// The handler is not called after this returns. Safe to repeat.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    connection?.remove(self)
  }
}
