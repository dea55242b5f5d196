/// JSON text (RFC 8259, UTF-8) to ``DeviceModel/Value`` and back.
///
/// ``parse(_:limits:)`` reads through libjansson; ``text(of:)`` and ``append(_:to:)`` write.
public enum JSON {
  /// What a text may cost, checked before it is parsed.
  public struct Limits: Sendable, Equatable {
    /// Of the whole text, in bytes.
    public var size: Int
    /// Arrays and objects inside each other; `[[1]]` has depth 2. At most 256, whatever is asked for.
    public var depth: Int

    public init(size: Int = 64 * 1024, depth: Int = 32) {
      self.size = size
      self.depth = min(depth, 256)
    }
  }
}
