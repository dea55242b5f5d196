import CDBus
public import EventLoop

/// One private connection to a message bus, in the loop. It knows no service.
///
/// An open connection keeps itself alive: end it by ``close()``. It does not come back when the bus goes away;
/// ``Bus`` opens the next one.
@Loop public final class DBusConnection {
  public nonisolated static let busName = "org.freedesktop.DBus"
  public nonisolated static let defaultDeadline = Duration.seconds(25)

  /// Our address on the bus, such as `:1.42`; empty until the bus has greeted.
  public internal(set) var uniqueName = ""
  /// Called once, when the bus ended the connection; not after ``close()``.
  public var onLost: (@Loop () -> Void)?

  private var handle: OpaquePointer?
  private var watched: WatchedConnection?
  private var itself: DBusConnection?
  private var isDispatchScheduled = false
  private var subscriptions: [SignalSubscription] = []
  private var pending: [ObjectIdentifier: PendingReply] = [:]
  private var exports: [ObjectPath: @Loop (IncomingCall) -> Void] = [:]

  /// Messages handled in one turn at most; the rest waits for the next, after timers and descriptors.
  private static let messagesPerTurn = 256

  /// Opens the socket. The bus has not greeted yet: ``open(_:deadline:)`` does both.
  init(socketAt address: BusAddress) throws(DBusError) {
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let handle = dbus_connection_open_private(address.text, &error) else {
      throw .unreachable(name: Self.text(error.name), message: Self.text(error.message))
    }
    self.handle = handle
    dbus_connection_set_exit_on_disconnect(handle, 0)
    let watched = WatchedConnection { [unowned self] in self.dispatch() }
    self.watched = watched
    itself = self
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard watched.attach(to: handle), dbus_connection_add_filter(handle, received, context, nil) != 0 else {
      close()
      throw .unreachable(name: "org.freedesktop.DBus.Error.NoMemory", message: "no memory for a connection")
    }
    dbus_connection_set_dispatch_status_function(handle, dispatchStatusChanged, context, nil)
  }

  public var isOpen: Bool { handle.map { dbus_connection_get_is_connected($0) != 0 } ?? false }

  /// Ends the connection: open calls hear ``DBusError/disconnected``, subscriptions nothing more. Safe to repeat.
  public func close() {
    guard let handle else { return }
    self.handle = nil
    onLost = nil
    let calls = pending.values
    pending = [:]
    for call in calls { call.end(.failure(.disconnected)) }
    subscriptions = []
    exports = [:]
    dbus_connection_remove_filter(handle, received, Unmanaged.passUnretained(self).toOpaque())
    dbus_connection_set_dispatch_status_function(handle, nil, nil, nil)
    dbus_connection_close(handle)
    watched?.detach(from: handle)
    watched = nil
    dbus_connection_unref(handle)
    itself = nil
  }

  // MARK: Calls

  /// Calls a method and hands its answer to `reply`, later and once. `deadline` has a resolution of 1 ms.
  @discardableResult
  public func send(
    _ call: MethodCall, deadline: Duration = defaultDeadline,
    reply: @escaping @Loop (Result<[DBusValue], DBusError>) -> Void
  ) -> PendingReply {
    let pendingReply = PendingReply(connection: self, handler: reply)
    pending[ObjectIdentifier(pendingReply)] = pendingReply
    guard let handle else {
      pendingReply.endSoon(.disconnected)
      return pendingReply
    }
    do throws(DBusEncodingError) {
      let message = try Self.message(call)
      var answer: OpaquePointer?
      let milliseconds = Int32(clamping: deadline.nanoseconds / 1_000_000)
      _ = dbus_connection_send_with_reply(handle, message.pointer, &answer, max(milliseconds, 1))
      watched?.endRest()
      if let answer { pendingReply.follow(answer) } else { pendingReply.endSoon(.disconnected) }
    } catch {
      pendingReply.endSoon(.unsendable(error))
    }
    return pendingReply
  }

  /// Calls a method whose answer nobody waits for.
  public func sendWithoutReply(_ call: MethodCall) throws(DBusEncodingError) {
    let message = try Self.message(call)
    dbus_message_set_no_reply(message.pointer, 1)
    send(message)
  }

  func forget(_ reply: PendingReply) { pending[ObjectIdentifier(reply)] = nil }

  func send(_ message: borrowing OwnedMessage) {
    guard let handle else { return }
    _ = dbus_connection_send(handle, message.pointer, nil)
  }

  private static func message(_ call: MethodCall) throws(DBusEncodingError) -> OwnedMessage {
    if dbus_validate_bus_name(call.destination, nil) == 0 { throw .invalidName(call.destination) }
    try checkNames(call.interface, call.member)
    guard
      let message = dbus_message_new_method_call(
        call.destination, call.path.text, call.interface, call.member)
    else { throw .invalidName(call.member) }
    let owned = OwnedMessage(message)
    try MessageWriter.append(call.arguments, to: message)
    return owned
  }

  private static func checkNames(_ interface: String, _ member: String) throws(DBusEncodingError) {
    if dbus_validate_interface(interface, nil) == 0 { throw .invalidName(interface) }
    if dbus_validate_member(member, nil) == 0 { throw .invalidName(member) }
  }

  // MARK: Signals

  /// Asks the bus for the signals that `rule` describes. They come in the order in which they were sent; those
  /// sent before the bus has taken the rule do not.
  public func subscribe(
    _ rule: MatchRule, handler: @escaping @Loop (DBusSignal) -> Void
  ) -> SignalSubscription {
    let subscription = SignalSubscription(rule, connection: self, handler: handler)
    subscriptions.append(subscription)
    if let handle { dbus_bus_add_match(handle, rule.text, nil) }
    return subscription
  }

  func remove(_ subscription: SignalSubscription) {
    subscriptions.removeAll { $0 === subscription }
    if let handle { dbus_bus_remove_match(handle, subscription.rule.text, nil) }
  }

  /// Sends a signal to all who asked for it, or to `destination` alone.
  public func emit(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    to destination: String? = nil
  ) throws(DBusEncodingError) {
    try Self.checkNames(interface, member)
    guard let message = dbus_message_new_signal(path.text, interface, member) else {
      throw .invalidName(member)
    }
    let owned = OwnedMessage(message)
    if let destination {
      if dbus_validate_bus_name(destination, nil) == 0 { throw .invalidName(destination) }
      dbus_message_set_destination(message, destination)
    }
    try MessageWriter.append(arguments, to: message)
    send(owned)
  }

  /// Whether what arrives is left unread for a while.
  public var isResting: Bool { watched?.isResting ?? false }

  /// Leaves what arrives within `duration` unread and then handles it together, which costs far less than to wake
  /// up for each message. For streams of signals of which none is urgent; has no effect while a call is open, and a
  /// call ends it.
  public func rest(for duration: Duration) {
    if pending.isEmpty { watched?.rest(for: duration) }
  }

  // MARK: Objects of our own

  /// Answers calls to the object at `path` and to all below it that are not exported themselves; nil ends it.
  /// Calls to other objects get `UnknownObject`.
  public func export(at path: ObjectPath, handler: (@Loop (IncomingCall) -> Void)?) {
    exports[path] = handler
  }

  // MARK: Messages that arrive

  private func dispatch() {
    guard let handle else { return }
    dbus_connection_ref(handle)
    defer { dbus_connection_unref(handle) }
    for _ in 0..<Self.messagesPerTurn where self.handle != nil {
      if dbus_connection_dispatch(handle) != DBUS_DISPATCH_DATA_REMAINS { return }
    }
    scheduleDispatch()
  }

  fileprivate func scheduleDispatch() {
    if isDispatchScheduled || handle == nil { return }
    isDispatchScheduled = true
    Loop.atTurnEnd {
      self.isDispatchScheduled = false
      self.dispatch()
    }
  }

  /// Whether the message was ours to handle.
  fileprivate func handle(_ message: OpaquePointer) -> Bool {
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_SIGNAL:
      handleSignal(message)
      return true
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      let call = IncomingCall(message, connection: self)
      if let handler = handler(for: call.path) {
        handler(call)
      } else {
        call.fail("org.freedesktop.DBus.Error.UnknownObject", "there is no object \(call.path)")
      }
      return true
    default:
      return false
    }
  }

  private func handleSignal(_ message: OpaquePointer) {
    if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
      let onLost = onLost
      close()
      onLost?()
      return
    }
    let signal = DBusSignal(
      sender: Self.text(dbus_message_get_sender(message)),
      path: ObjectPath(unchecked: Self.text(dbus_message_get_path(message))),
      interface: Self.text(dbus_message_get_interface(message)),
      member: Self.text(dbus_message_get_member(message)),
      arguments: MessageReader.values(of: message))
    for subscription in subscriptions where subscription.rule.matches(signal) {
      subscription.handler?(signal)
    }
  }

  private func handler(for path: ObjectPath) -> (@Loop (IncomingCall) -> Void)? {
    var candidate: ObjectPath? = path
    while let path = candidate {
      if let handler = exports[path] { return handler }
      candidate = path.parent
    }
    return nil
  }

  nonisolated static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }
}

private func received(
  _ handle: OpaquePointer?, _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  let messageBits = UInt(bitPattern: message)
  let contextBits = UInt(bitPattern: context)
  let isHandled = Loop.assumeIsolated {
    guard let message = OpaquePointer(bitPattern: messageBits),
      let context = UnsafeRawPointer(bitPattern: contextBits)
    else { return false }
    return Unmanaged<DBusConnection>.fromOpaque(context).takeUnretainedValue().handle(message)
  }
  return isHandled ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
}

private func dispatchStatusChanged(
  _ handle: OpaquePointer?, _ status: DBusDispatchStatus, _ context: UnsafeMutableRawPointer?
) {
  guard status == DBUS_DISPATCH_DATA_REMAINS else { return }
  let bits = UInt(bitPattern: context)
  Loop.assumeIsolated {
    guard let context = UnsafeRawPointer(bitPattern: bits) else { return }
    Unmanaged<DBusConnection>.fromOpaque(context).takeUnretainedValue().scheduleDispatch()
  }
}
