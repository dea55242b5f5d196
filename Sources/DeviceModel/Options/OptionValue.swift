/// What a written option means.
public indirect enum OptionValue: Sendable, Hashable {
  /// Also of ``OptionType/choice(_:)`` and ``OptionType/path``.
  case text(String)
  case secret(Secret)
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case duration(Duration)
  case hostPort(HostPort)
  case bluetoothAddress(BluetoothAddress)
  case list([OptionValue])
  case object(Options)
  case map([NamedValue])
  case anything(LocatedValue)

  public struct NamedValue: Sendable, Hashable {
    public var name: String
    public var value: OptionValue
    /// Of the name; does not count when two are compared.
    public var location: SourceLocation

    public static func == (left: NamedValue, right: NamedValue) -> Bool {
      left.name == right.name && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(value)
    }
  }
}
