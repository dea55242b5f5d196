/// A call of another program's method.
public struct MethodCall: Sendable, Equatable {
  public var destination: String
  public var path: ObjectPath
  public var interface: String
  public var member: String
  public var arguments: [DBusValue]

  public init(
    to destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [DBusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
