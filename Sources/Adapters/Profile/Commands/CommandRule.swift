import DeviceModel

/// Something that is sent, and what is to come back.
struct Exchange: Sendable, Hashable {
  /// One after the other.
  var templates: [Template]
  var expectation = Expectation.none
  /// A message by which the board says no, by its place among the messages.
  var refusal: Int?
  /// For what is expected.
  var patience = Duration.seconds(2)

  enum Expectation: Sendable, Hashable {
    case none
    /// The property has the value that was sent.
    case value
    /// This message, by its place among the messages.
    case message(Int)
  }
}

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

/// Something that is asked again and again.
struct Poll: Sendable, Hashable {
  var exchange: Exchange
  var interval: Duration
  /// So many unanswered in a row, and the board is away.
  var attempts: Int
}

/// What holds for everything that is sent.
struct SendingRule: Sendable, Hashable {
  var checksum: Checksum?
  /// Behind everything, also behind the checksum.
  var end: [UInt8] = []
  /// Between two sends.
  var pause = Duration.zero

  func whole(_ bytes: [UInt8]) -> [UInt8] { (checksum?.appended(to: bytes) ?? bytes) + end }
}
