extension OptionRule {
  /// A topic that can be published to and does not begin or end with a slash.
  public static let topic = OptionRule("topic", expectation: "a topic such as home/bridge") { text in
    topicRefusal(text).map { .refused(because: $0) } ?? .accepted(.text(text))
  }

  /// What keeps `text` from being a topic, or a part of one: MQTT 5, 4.7, and our own taste in slashes.
  static func topicRefusal(_ text: String) -> String? {
    if text.isEmpty { return "empty" }
    if text.utf8.count > 200 { return "longer than 200 bytes" }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
        return "it has a character that no topic should have"
      default: break
      }
      if scalar == "+" || scalar == "#" { return "'\(scalar)' stands for other topics" }
    }
    if text.hasPrefix("$") { return "topics with '$' belong to the broker" }
    if text.hasPrefix("/") || text.hasSuffix("/") { return "a slash at its end" }
    let hasEmptyLevel = text.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty }
    return hasEmptyLevel ? "two slashes in a row" : nil
  }
}
