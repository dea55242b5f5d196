/// A property's name: its key in the state's JSON object and its topic segment.
public struct PropertyKey: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let text: String
  public var description: String { text }

  /// Taken by topics of the device itself.
  public static let reserved: Set<String> = ["set", "get", "availability", "event", "rx", "tx"]

  /// Nil for text that is no slug, and for a reserved word. One `/` may group keys: `presence/anna`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ Slug(exactly: $0) != nil && !Self.reserved.contains(String($0)) })
    else { return nil }
    self.text = String(text)
  }

  /// For keys written in the source, which a test over all kinds checks.
  public init(stringLiteral text: String) { self.text = text }
}
