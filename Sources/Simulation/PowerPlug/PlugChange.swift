/// Something that happened to a simulated plug.
public enum PlugChange: Equatable, Sendable {
  case appliance(isOn: Bool)
  case mode(isManual: Bool)
  case table
  case power(isOn: Bool)
  /// Clients count from 1.
  case clientAccepted(Int)
  case clientGone(Int)
  /// Also those of which the board in its present state makes nothing.
  case bytesReceived([UInt8], client: Int)
  case command(ReceivedPlugCommand)
}

/// A command, when it arrived and from whom.
public struct ReceivedPlugCommand: Equatable, Sendable {
  public let command: PlugCommand
  /// Simulated, since 1970 UTC.
  public let time: Duration
  public let client: Int
}
