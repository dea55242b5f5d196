/// Which signals a subscriber wants. What is nil matches anything.
public struct MatchRule: Hashable, Sendable {
  /// A bus name. The bus compares a well-known name with its owner of the moment.
  public var sender: String?
  public var path: ObjectPath?
  /// Signals from this object and all below it.
  public var pathNamespace: ObjectPath?
  public var interface: String?
  public var member: String?
  /// The first argument, if that is a string.
  public var firstArgument: String?

  public init(
    sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: String? = nil, member: String? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule in the words of the bus.
  var text: String {
    var parts = ["type='signal'"]
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      parts.append(
        key + "='" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
          + "'")
    }
    add("sender", sender)
    add("path", path?.text)
    add("path_namespace", pathNamespace?.text)
    add("interface", interface)
    add("member", member)
    add("arg0", firstArgument)
    return parts.joined(separator: ",")
  }

  /// Whether `signal` is one of those asked for; a well-known sender is left to the bus.
  func matches(_ signal: DBusSignal) -> Bool {
    if let member, member != signal.member { return false }
    if let interface, interface != signal.interface { return false }
    if let path, path != signal.path { return false }
    if let pathNamespace, pathNamespace != signal.path, !signal.path.isBelow(pathNamespace) { return false }
    if let sender, sender.hasPrefix(":") || sender == DBusConnection.busName, sender != signal.sender {
      return false
    }
    if let firstArgument, signal.arguments.first?.string != firstArgument { return false }
    return true
  }
}
