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
