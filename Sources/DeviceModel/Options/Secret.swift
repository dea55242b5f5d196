/// A password or a PIN. It shows itself to nobody who does not ask for it by ``reveal()``.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let text: String

  public init(_ text: String) { self.text = text }

  /// The text itself, for the wire only.
  public func reveal() -> String { text }

  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
