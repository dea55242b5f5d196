/// A request on the bridge's request topics that one device of a kind answers.
public struct KindRequest: Hashable, Sendable {
  /// Counts up; ``Output/answer(_:_:)`` names it.
  public var number: UInt64
  /// One of the words in ``Kind/requests``.
  public var name: String
  /// The whole JSON object, `device` and `transaction` included.
  public var parameters: Value.Members

  public init(number: UInt64, _ name: String, _ parameters: Value.Members) {
    self.number = number
    self.name = name
    self.parameters = parameters
  }
}
