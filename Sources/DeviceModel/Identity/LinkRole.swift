/// Which of a device's links is meant: `board`, and for some kinds `microphone` or `telemetry`.
public struct LinkRole: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let text: String
  public var description: String { text }
  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.text = text }

  /// The link on which a device's availability hangs; the only one of most kinds.
  public static let board: LinkRole = "board"
}
