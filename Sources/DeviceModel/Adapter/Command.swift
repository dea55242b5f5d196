/// One thing asked of a device, its value checked against the property's kind already.
public struct Command: Hashable, Sendable {
  public var property: PropertyKey
  public var verb: Property.Verb
  /// ``Value/boolean(_:)`` for a switch, ``Value/number(_:)`` for a number, the word in its own spelling for a
  /// select, lock or cover, ``Value/text(_:)`` for a text, anything for what is structured, and
  /// ``Value/unknown`` for a button.
  public var value: Value

  public init(_ property: PropertyKey, verb: Property.Verb = .set, _ value: Value) {
    self.property = property
    self.verb = verb
    self.value = value
  }
}

/// Commands that arrived together: all are carried out, in the description's order, or none.
public struct CommandBatch: Hashable, Sendable {
  /// Counts up; names the batch in ``Output/reject(_:_:_:)``.
  public var number: UInt64
  public var commands: [Command]

  public init(number: UInt64, _ commands: [Command]) {
    self.number = number
    self.commands = commands
  }
}
