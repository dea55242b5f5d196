import EventLoop

/// What a connection asks of the bus itself and of the standard interfaces.
extension DBusConnection {
  /// Connects to the bus at `address` and greets it.
  public static func open(
    _ address: BusAddress, deadline: Duration = .seconds(5)
  ) async throws(DBusError) -> DBusConnection {
    let connection = try DBusConnection(socketAt: address)
    let result = await Loop.suspend { continuation in
      connection.greet(deadline: deadline) { continuation.resume(returning: $0) }
    }
    try result.get()
    return connection
  }

  /// The first call on a connection; it is closed when that fails.
  func greet(deadline: Duration, done: @escaping @Loop (Result<Void, DBusError>) -> Void) {
    send(Self.busCall("Hello"), deadline: deadline) { result in
      switch result {
      case .success(let values):
        self.uniqueName = values.first?.string ?? ""
        done(.success(()))
      case .failure(let error):
        self.close()
        done(.failure(Self.refusal(error)))
      }
    }
  }

  /// A bus that refuses a user's credentials only hangs up.
  private static func refusal(_ error: DBusError) -> DBusError {
    switch error {
    case .disconnected:
      .unreachable(
        name: "org.freedesktop.DBus.Error.AccessDenied", message: "the bus closed the connection at once")
    case .timedOut:
      .unreachable(name: "org.freedesktop.DBus.Error.NoReply", message: "the bus does not answer")
    case .remote(let name, let message): .unreachable(name: name, message: message)
    default: error
    }
  }

  /// Calls a method and waits for its answer; a cancelled task gives the call up.
  public func call(
    _ call: MethodCall, deadline: Duration = defaultDeadline
  ) async throws(DBusError) -> [DBusValue] {
    let cancellation = CallCancellation()
    let result = await withTaskCancellationHandler {
      await Loop.suspend { continuation in
        let pending = send(call, deadline: deadline) { continuation.resume(returning: $0) }
        cancellation.pending = pending
        if Task.isCancelled { pending.cancel() }
      }
    } onCancel: {
      Loop.enqueue { cancellation.pending?.cancel() }
    }
    return try result.get()
  }

  // MARK: Properties

  public func property(
    _ name: String, of interface: String, at path: ObjectPath, of destination: String
  ) async throws(DBusError) -> DBusValue {
    let values = try await call(
      MethodCall(
        to: destination, path, "org.freedesktop.DBus.Properties", "Get",
        [.string(interface), .string(name)]))
    guard case .variant(let value)? = values.first else { throw Self.unexpected(values) }
    return value
  }

  public func properties(
    of interface: String, at path: ObjectPath, of destination: String
  ) async throws(DBusError) -> [String: DBusValue] {
    let values = try await call(
      MethodCall(to: destination, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)]))
    guard case .properties(let properties)? = values.first else { throw Self.unexpected(values) }
    return properties
  }

  public func setProperty(
    _ name: String, of interface: String, at path: ObjectPath, of destination: String, to value: DBusValue
  ) async throws(DBusError) {
    _ = try await call(
      MethodCall(
        to: destination, path, "org.freedesktop.DBus.Properties", "Set",
        [.string(interface), .string(name), .variant(value)]))
  }

  static func unexpected(_ values: [DBusValue]) -> DBusError {
    .unexpectedReply(signature: values.map(\.signature).joined())
  }

  // MARK: Names

  /// Whether `name` is ours now. Does not wait in the bus' queue for a name that somebody else has.
  public func requestName(_ name: String) async throws(DBusError) -> Bool {
    let doNotQueue: UInt32 = 4
    let values = try await call(Self.busCall("RequestName", [.string(name), .uint32(doNotQueue)]))
    guard let answer = values.first?.uint32 else { throw Self.unexpected(values) }
    return answer == 1 || answer == 4  // owner now, owner before
  }

  /// Reports the unique name that owns `name`, nil for nobody: soon and after each change, perhaps twice. For a unique name
  /// nil means that its program left the bus.
  public func observeOwner(
    of name: String, handler: @escaping @Loop (String?) -> Void
  ) -> SignalSubscription {
    let rule = MatchRule(
      sender: Self.busName, interface: Self.busName, member: "NameOwnerChanged", firstArgument: name)
    let subscription = subscribe(rule) { signal in
      guard signal.arguments.count == 3, let owner = signal.arguments[2].string else { return }
      handler(owner.isEmpty ? nil : owner)
    }
    send(Self.busCall("GetNameOwner", [.string(name)])) { [weak subscription] result in
      guard subscription?.handler != nil else { return }
      switch result {
      case .success(let values): handler(values.first?.string)
      case .failure(.remote): handler(nil)
      case .failure: break
      }
    }
    return subscription
  }

  /// Reports the unique name of each program that leaves the bus.
  public func observeDepartures(handler: @escaping @Loop (String) -> Void) -> SignalSubscription {
    subscribe(MatchRule(sender: Self.busName, interface: Self.busName, member: "NameOwnerChanged")) {
      signal in
      guard signal.arguments.count == 3, signal.arguments[2].string == "",
        let name = signal.arguments[0].string, name.hasPrefix(":")
      else { return }
      handler(name)
    }
  }

  static func busCall(_ member: String, _ arguments: [DBusValue] = []) -> MethodCall {
    MethodCall(
      to: busName, ObjectPath(unchecked: "/org/freedesktop/DBus"), busName, member, arguments)
  }
}

@Loop private final class CallCancellation {
  var pending: PendingReply?
  init() {}
}
