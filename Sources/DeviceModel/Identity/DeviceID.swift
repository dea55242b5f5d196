/// A device's name in topics, unique on one bridge. `bridge` is reserved.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
  public let text: String
  public var description: String { text }

  public static let reserved: Set<String> = ["bridge"]

  /// Nil for a reserved word.
  public init?(_ slug: Slug) {
    guard !Self.reserved.contains(slug.text) else { return nil }
    text = slug.text
  }
}
