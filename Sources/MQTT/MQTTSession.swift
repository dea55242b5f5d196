/// A connection that the broker accepted.
public struct MQTTSession: Equatable, Sendable {
  public var server: ServerAddress
  public var version: MQTTVersion
  /// How many connections came before this one.
  public var reconnects: Int
  /// Whether the broker retains messages; one that does not treats all as not retained (MQTT 5 tells, 3.1.1 never).
  public var keepsRetained: Bool
}
