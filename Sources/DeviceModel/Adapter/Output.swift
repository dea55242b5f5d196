/// What an adapter wants done.
public enum Output: Hashable, Sendable {
  case send(Send)
  /// A property has this value now. Repeating a value costs nothing and publishes nothing.
  case report(PropertyKey, Value)
  /// Something happened; `event_type` and its facts.
  case event(String, Value.Members)
  /// Bytes to publish as they are, not retained, on this topic below the device's own: `rx` of kind `uart`.
  case publish(String, [UInt8])
  /// The board lives: it said something valid. The first of these makes the device available.
  case alive
  /// Bytes that do not parse were passed over. Counted, and logged once in a while.
  case undecodable(bytes: Int, String)
  /// A link that is not held is to be connected for what the adapter has to send: ``Input/linkUp(_:maximumPacket:)`` or,
  /// when the one attempt fails, ``Input/linkDown(_:_:)`` follows. A held link that is not up fails at once; no effect
  /// on one that is up.
  case connect(LinkRole)
  /// All is read and done that this session was for. Ends a polled or on-demand session; no effect on a held one.
  case sessionFinished(LinkRole)
  /// As ``sessionFinished(_:)``, and the board is to be looked at anew after this time, in a session of any kind: it
  /// tells only at the beginning of a session what is to be known. No failure; the device stays available.
  case reconnect(LinkRole, after: Duration)
  /// The board does not answer as it must: the link is dropped and counts as failed.
  case sessionFailed(LinkRole, String)
  case setTimer(Input.TimerName, after: Duration)
  /// A timer that runs out as soon as all that was given to ``remember(_:)`` is on the disk, or the disk has refused it:
  /// for what must not happen again should the machine fail in between. A disk that does not answer lets it wait.
  case setTimerWhenKept(Input.TimerName)
  case cancelTimer(Input.TimerName)
  /// The batch of this number, or one property of it, was refused or failed.
  case reject(UInt64, PropertyKey?, Rejection)
  /// The device turned out to be this from now on. Values of properties that it no longer has are dropped.
  case describe(DeviceDescription)
  /// To be given back by ``Input/remembered(_:)`` after a restart. Kept as it is, 64 kB of JSON at most; secrets do
  /// not belong here.
  case remember(Value)
  /// Asks for this many unpredictable bytes, ``mostRandomBytes`` at most, by ``Input/random(_:)``.
  case wantRandom(bytes: Int)
  /// Answers the request of this number.
  case answer(UInt64, Result<Value, Rejection>)
  /// Something a person who looks for a fault should read.
  case log(LogLevel, String)

  /// What one ``wantRandom(bytes:)`` can get.
  public static let mostRandomBytes = 256
  /// What one ``remember(_:)`` can hold, as JSON, in bytes.
  public static let mostRemembered = 64 * 1024

  /// Bytes for the board.
  public struct Send: Hashable, Sendable {
    public var role: LinkRole
    public var bytes: [UInt8]
    public var policy: Policy
    /// Asks for ``Input/sent(_:)`` or ``Input/notSent(_:_:mayHaveArrived:)``; nil asks for neither.
    public var number: UInt64?

    public init(_ bytes: [UInt8], on role: LinkRole = .board, policy: Policy = .keep, number: UInt64? = nil) {
      self.role = role
      self.bytes = bytes
      self.policy = policy
      self.number = number
    }

    /// What may happen to bytes that the link cannot take at once.
    public enum Policy: Hashable, Sendable {
      /// They wait in order; the link ends before one is dropped.
      case keep
      /// A later send with the same word takes their place.
      case latest(String)
      /// They leave before all that waits, and take its place: what is not begun is dropped. For a stop.
      case overtaking
      /// They are dropped when they could not leave within this time.
      case expires(Duration)
    }
  }
}
