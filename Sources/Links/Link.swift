public import DeviceModel
public import EventLoop

/// A way to carry bytes to one board and back.
///
/// One attempt at a time: after ``connect()`` comes either ``LinkEvent/up(maximumPacket:)`` or
/// ``LinkEvent/down(_:)``, after `up` at some time `down`, each through the handler given by init, never from
/// within a call of the link's owner. No method blocks.
@Loop public protocol Link: AnyObject {
  /// Begins an attempt, which ends within the link's own deadline. Ignored while one is under way.
  func connect()
  /// Ends the attempt or the connection. Nothing is delivered after it returns; what was not sent is dropped.
  func disconnect()
  /// Hands bytes over; see ``Output/Send/Policy`` for what happens to what cannot leave at once.
  func send(_ send: Output.Send)
  /// False leaves what arrives with the system, so that nothing is lost that there is no room for. True at first,
  /// and again with each connection.
  var isReading: Bool { get set }
  /// Whether something that was handed over has not left for the board yet, as far as the system can tell: of TCP,
  /// whether its host has not acknowledged it.
  var hasUnsent: Bool { get }
}

/// What a link tells its owner.
public enum LinkEvent: Sendable {
  /// Bytes can be sent and received. `maximumPacket` is the most in one send; nil for a stream.
  case up(maximumPacket: Int?)
  case received([UInt8])
  /// The send of this number was handed to the system whole.
  case sent(UInt64)
  /// The send of this number did not leave whole, or, for `mayHaveArrived`, was answered with an error that does not
  /// say that the board has done nothing.
  case notSent(UInt64, String, mayHaveArrived: Bool = false)
  case down(LinkFailure)

  public typealias Handler = @Loop (LinkEvent) -> Void
}

/// Why an attempt failed or a connection ended.
public enum LinkFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host lives and took no connection: its port is closed, or it serves another client.
  case refused
  /// No answer within this time.
  case timedOut(after: Duration)
  case nameNotFound(host: String, why: String)
  case unreachable(String)
  case closedByPeer
  /// The connection broke: reset, or data and probes stayed without an acknowledgement.
  case broken(String)
  /// More was to be sent than may wait: the board reads too slowly.
  case overflow(limit: Int)
  /// What the link needs is missing here: a Bluetooth adapter, a right, a device file.
  case unavailable(String)
  /// The adapter gave the session up.
  case gaveUp(String)
  /// A packet was answered with this error, and nothing in it says that the board has done nothing.
  case unproven(String)

  public var description: String {
    switch self {
    case .refused: "connection refused; the board may be serving another client"
    case .timedOut(let time): "no answer within \(time)"
    case .nameNotFound(let host, let why): "no address for '\(host)': \(why)"
    case .unreachable(let why): "not reachable: \(why)"
    case .closedByPeer: "closed by the board"
    case .broken(let why): "connection broke: \(why)"
    case .overflow(let limit): "more than \(limit) bytes waiting to be sent"
    case .unavailable(let what): what
    case .gaveUp(let why): why
    case .unproven(let error): error
    }
  }

  /// What was on its way when this was answered may have reached the board, which may have acted.
  var mayHaveArrived: Bool { if case .unproven = self { true } else { false } }
}
