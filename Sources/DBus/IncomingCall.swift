import CDBus
public import EventLoop

/// Another program's call of a method of ours, answered at most once. One never answered costs the caller its
/// deadline.
@Loop public final class IncomingCall {
  /// The unique name of the caller.
  public let sender: String
  public let path: ObjectPath
  /// Nil when the caller left it open.
  public let interface: String?
  public let member: String
  public let arguments: [DBusValue]

  private let message: OwnedMessage
  private weak var connection: DBusConnection?
  private var isAnswered: Bool

  init(_ message: OpaquePointer, connection: DBusConnection) {
    self.message = OwnedMessage(dbus_message_ref(message))
    self.connection = connection
    sender = DBusConnection.text(dbus_message_get_sender(message))
    path = ObjectPath(unchecked: DBusConnection.text(dbus_message_get_path(message)))
    interface = dbus_message_get_interface(message).map { String(cString: $0) }
    member = DBusConnection.text(dbus_message_get_member(message))
    arguments = MessageReader.values(of: message)
    isAnswered = dbus_message_get_no_reply(message) != 0
  }

  public func reply(_ values: [DBusValue] = []) {
    guard !isAnswered, let answer = dbus_message_new_method_return(message.pointer) else { return }
    do throws(DBusEncodingError) {
      try MessageWriter.append(values, to: answer)
    } catch {
      dbus_message_unref(answer)
      return fail("org.freedesktop.DBus.Error.Failed", "the answer cannot be sent: \(error)")
    }
    send(answer)
  }

  /// Answers with an error; an error name that D-Bus does not allow becomes `…Error.Failed`.
  public func fail(_ name: String, _ text: String) {
    let allowed = dbus_validate_error_name(name, nil) != 0 ? name : "org.freedesktop.DBus.Error.Failed"
    guard !isAnswered, let answer = dbus_message_new_error(message.pointer, allowed, text) else { return }
    send(answer)
  }

  private func send(_ answer: OpaquePointer) {
    isAnswered = true
    connection?.send(OwnedMessage(answer))
  }
}
