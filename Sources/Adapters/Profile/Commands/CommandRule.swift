/// What is sent for one verb of a property.
struct CommandRule: Sendable, Hashable {
  var exchange: Exchange
  /// What is sent instead for single words.
  var cases: [String: [Template]] = [:]

  func templates(for word: String?) -> [Template]? {
    if let word, let own = cases[word] { return own }
    return exchange.templates.isEmpty ? nil : exchange.templates
  }
}
