import CDBus
public import EventLoop

/// A call whose answer has not come yet.
@Loop public final class PendingReply {
  private var handle: OpaquePointer?
  private var handler: (@Loop (Result<[DBusValue], DBusError>) -> Void)?
  private weak var connection: DBusConnection?

  init(
    connection: DBusConnection, handler: @escaping @Loop (Result<[DBusValue], DBusError>) -> Void
  ) {
    self.connection = connection
    self.handler = handler
  }

  /// Gives the call up: the handler hears ``DBusError/cancelled`` before this returns, unless it heard of the end
  /// before. What the other side does goes on.
  public func cancel() { end(.failure(.cancelled)) }

  /// Takes over one reference to libdbus' pending call.
  func follow(_ pending: OpaquePointer) {
    handle = pending
    let context = Unmanaged.passRetained(self).toOpaque()
    if dbus_pending_call_set_notify(pending, replyArrived, context, releasePendingReply) == 0 {
      Unmanaged<PendingReply>.fromOpaque(context).release()
      end(.failure(.disconnected))
    }
  }

  func end(_ result: Result<[DBusValue], DBusError>) {
    guard let handler else { return }
    self.handler = nil
    connection?.forget(self)
    if let handle {
      self.handle = nil
      dbus_pending_call_cancel(handle)
      dbus_pending_call_unref(handle)
    }
    handler(result)
  }

  /// Ends the call in the next turn, for a caller that must not hear of it within its own call.
  func endSoon(_ error: DBusError) { Loop.atTurnEnd { self.end(.failure(error)) } }

  fileprivate func arrived() {
    guard let handle, let pointer = dbus_pending_call_steal_reply(handle) else { return }
    let message = OwnedMessage(pointer)
    let values = MessageReader.values(of: message.pointer)
    guard dbus_message_get_type(message.pointer) == DBUS_MESSAGE_TYPE_ERROR else {
      return end(.success(values))
    }
    // libdbus itself makes the error of a deadline or of a lost connection: it comes from nobody.
    if dbus_message_get_sender(message.pointer) == nil, let connection {
      return end(.failure(connection.isOpen ? .timedOut : .disconnected))
    }
    let name = DBusConnection.text(dbus_message_get_error_name(message.pointer))
    end(.failure(.remote(name: name, message: values.first?.string ?? "")))
  }
}

private func replyArrived(_ pending: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  let bits = UInt(bitPattern: context)
  Loop.assumeIsolated {
    guard let context = UnsafeRawPointer(bitPattern: bits) else { return }
    Unmanaged<PendingReply>.fromOpaque(context).takeUnretainedValue().arrived()
  }
}

private func releasePendingReply(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<PendingReply>.fromOpaque(context).release()
}
