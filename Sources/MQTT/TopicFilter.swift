/// A topic with wildcards: `+` for one level, `#` for all that follow (MQTT 5, section 4.7).
public struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) throws(TopicProblem) {
    if text.isEmpty { throw .empty }
    if text.utf8.count > 65_535 { throw .tooLong(bytes: text.utf8.count) }
    if text.utf8.contains(0) { throw .containsNull }
    let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, level) in levels.enumerated() {
      let isAlone = level.count == 1
      if level.contains(UInt8(ascii: "+")), !isAlone { throw .misplacedWildcard(level: index + 1) }
      if level.contains(UInt8(ascii: "#")), !isAlone || index != levels.count - 1 {
        throw .misplacedWildcard(level: index + 1)
      }
    }
    self.text = text
  }

  public var description: String { text }

  /// Whether a message on `topic` belongs to this filter. Wildcards do not reach topics that begin with `$`.
  public func matches(_ topic: String) -> Bool {
    var filter = text.utf8[...]
    var name = topic.utf8[...]
    if name.first == UInt8(ascii: "$"), Self.isWildcard(filter.first) { return false }
    while true {
      let filterLevel = Self.takeLevel(&filter)
      if filterLevel.elementsEqual("#".utf8) { return true }
      let nameLevel = Self.takeLevel(&name)
      guard filterLevel.elementsEqual("+".utf8) || filterLevel.elementsEqual(nameLevel) else { return false }
      switch (filter.isEmpty, name.isEmpty) {
      case (true, true): return true
      case (true, false): return false
      case (false, true): return filter.elementsEqual("/#".utf8)
      case (false, false):
        filter.removeFirst()
        name.removeFirst()
      }
    }
  }

  private static func isWildcard(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "#")
  }

  /// Splits off what stands before the next `/`, which stays at the head of `rest`.
  private static func takeLevel(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
    let level = rest.prefix { $0 != UInt8(ascii: "/") }
    rest = rest[level.endIndex...]
    return level
  }
}
