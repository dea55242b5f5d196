/// What an adapter is told.
public enum Input: Hashable, Sendable {
  /// A link carries bytes from now on. `maximumPacket` is the most that one send may hold; nil for a stream.
  case linkUp(LinkRole, maximumPacket: Int?)
  /// Bytes as they came: a part of a message, one, or several.
  case received(LinkRole, [UInt8])
  /// A send that carried this number has left for the board.
  case sent(UInt64)
  /// A send that carried this number did not leave whole, and will not. `mayHaveArrived`: it did leave, and what
  /// came back for it is an error that the board may have answered after it had acted. What was on its way when the link
  /// ended may have arrived as well: ``linkDown(_:_:)`` follows then.
  case notSent(UInt64, String, mayHaveArrived: Bool = false)
  /// The link carries nothing any more; what was under way on it is lost.
  case linkDown(LinkRole, String)
  /// Asked for by a person or a program. Delivered only while the primary link is up, unless no property of the batch
  /// needs it (``Property/needsNoLink``).
  case commands(CommandBatch)
  /// The payload of `<device>/tx`, kind `uart` only. Delivered only while the primary link is up.
  case transmit(number: UInt64, [UInt8])
  /// `get` or `device/refresh`: ask the board anew. Delivered only while the primary link is up.
  case refresh
  /// What ``Output/remember(_:)`` was last given, before a restart or a reload; ``Value/unknown`` when nothing. The
  /// first input of all, and given once.
  case remembered(Value)
  /// Something came on a topic that the adapter follows.
  case message(OutsideMessage)
  /// A board or a tag was heard; only for an adapter that ``Adapter/hearsAdvertisements``.
  case advertisement(Advertisement)
  /// Whether advertisements can be heard, from the start and at each change, with the reason when not; only for an
  /// adapter that ``Adapter/hearsAdvertisements``.
  case listening(Bool, String?)
  /// Whether advertisements go unheard for a moment, as a board is being connected: such a time is no silence, and no
  /// change of ``listening(_:_:)``. Only for an adapter that ``Adapter/hearsAdvertisements``.
  case deafened(Bool)
  /// The bytes that ``Output/wantRandom(bytes:)`` asked for, unpredictable to anybody.
  case random([UInt8])
  /// Asked on a request topic; to be answered by ``Output/answer(_:_:)``. Delivered only while the primary link is up,
  /// or at once to a device without links.
  case request(KindRequest)
  /// The broker is connected, or lost: nobody can steer the device until it is back.
  case broker(isConnected: Bool)
  /// The bridge is about to stop or to let the device go; what is sent now still leaves.
  case stopping
  /// A timer of this name ran out.
  case timerFired(TimerName)

  /// A timer's name, of the adapter's own choice; setting it again replaces it.
  public typealias TimerName = String
}
