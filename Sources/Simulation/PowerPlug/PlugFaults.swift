/// What is wrong with a simulated plug at the moment; all can be combined and changed while it runs.
public struct PlugFaults: Equatable, Sendable {
  /// Accepts a client, reads what it sends, and does and answers nothing. A client that came meanwhile stays
  /// unknown to the sketch.
  public var isSilent = false
  /// Neither reads, writes nor closes any more: lost power or radio, and nobody told the client. The host's
  /// kernel still acknowledges what is sent, unlike a board that is gone.
  public var isHalfOpen = false
  public var reachability = Reachability.serves

  /// Ends the connection with RST as soon as this many bytes were sent on it.
  public var resetsAfterBytes: Int?
  /// Sends at most this many bytes a segment.
  public var fragmentSize: Int?
  /// Between two fragments, in real time.
  public var fragmentDelay: Duration = .zero
  /// Before each message, in real time.
  public var answerDelay: Duration = .zero
  /// Keeps an `S` back until the next `A` and sends both in one segment.
  public var gluesMessages = false
  public var garbage: Garbage?
  /// Bytes after the `A`: fewer cut the table short, more are filled up with FF.
  public var tableLength: Int?
  /// What follows the `S` instead of manual and on.
  public var statusBytes: [UInt8]?
  /// Commands that have no effect.
  public var lostCommands: PlugCommand.Kinds = []

  public init() {}

  public static let none = PlugFaults()

  /// What a client meets that wants to connect.
  public enum Reachability: Equatable, Sendable {
    case serves
    /// RST to every connect.
    case refuses
    /// Connects, and is never looked at.
    case leavesInBacklog
    /// No answer to any connect, as from an address without a host.
    case isUnanswered
  }

  /// Bytes that do not belong there, in every message.
  public struct Garbage: Equatable, Sendable {
    public var bytes: [UInt8]
    /// Where they go: 0 = before the message; beyond its end = after it.
    public var offset: Int

    public init(_ bytes: [UInt8], at offset: Int = 0) {
      self.bytes = bytes
      self.offset = offset
    }
  }

  /// The bytes that leave the board in place of `message`.
  func distort(_ message: [UInt8]) -> [UInt8] {
    var bytes = message
    if message.first == UInt8(ascii: "S"), let statusBytes { bytes = [message[0]] + statusBytes }
    if message.first == UInt8(ascii: "A"), let tableLength {
      bytes = Array(message.prefix(1 + max(0, tableLength)))
      bytes += [UInt8](repeating: 0xFF, count: max(0, 1 + tableLength - bytes.count))
    }
    if let garbage { bytes.insert(contentsOf: garbage.bytes, at: min(max(0, garbage.offset), bytes.count)) }
    return bytes
  }
}
