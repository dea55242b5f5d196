/// What an adapter is told.
public enum Input: Hashable, Sendable {
  /// A link carries bytes from now on. `maximumPacket` is the most that one send may hold; nil for a stream.
  case linkUp(LinkRole, maximumPacket: Int?)
  /// Bytes as they came: a part of a message, one, or several.
  case received(LinkRole, [UInt8])
  /// A send that carried this number has left for the board.
  case sent(UInt64)
  /// A send that carried this number did not leave whole, and will not.
  case notSent(UInt64, String)
  /// The link carries nothing any more; what was under way on it is lost.
  case linkDown(LinkRole, String)
  /// Asked for by a person or a program. Delivered only while the primary link is up.
  case commands(CommandBatch)
  /// The payload of `<device>/tx`, kind `uart` only. Delivered only while the primary link is up.
  case transmit(number: UInt64, [UInt8])
  /// `get` or `device/refresh`: ask the board anew. Delivered only while the primary link is up.
  case refresh
  /// A timer of this name ran out.
  case timerFired(TimerName)

  /// A timer's name, of the adapter's own choice; setting it again replaces it.
  public typealias TimerName = String
}
