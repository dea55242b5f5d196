import DBus
import EventLoop

/// The bluetoothd of the moment. Calls go to its unique name, so that they neither start one nor reach the next.
@Loop struct BlueZPeer {
  let connection: DBusConnection
  let owner: String

  /// Calls a method of BlueZ and hands its answer, or the cause of its absence, to `reply`.
  @discardableResult
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    deadline: Duration = DBusConnection.defaultDeadline,
    reply: @escaping @Loop (Result<[DBusValue], BlueZError>) -> Void = { _ in }
  ) -> PendingReply {
    connection.send(MethodCall(to: owner, path, interface, member, arguments), deadline: deadline) { result in
      reply(result.mapError { BlueZError($0) })
    }
  }
}
