/// A connection that the broker accepted.
public struct MQTTSession: Equatable, Sendable {
  public var server: ServerAddress
  public var version: MQTTVersion
  /// How many connections came before this one.
  public var reconnects: Int
}
