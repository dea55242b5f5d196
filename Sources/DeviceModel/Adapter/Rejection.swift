/// Why a command was refused or failed; a `command_failed` event carries it.
public struct Rejection: Error, Hashable, Sendable {
  public var reason: Reason
  /// What was wrong, where, and what was expected, in words.
  public var explanation: String

  public init(_ reason: Reason, _ explanation: String) {
    self.reason = reason
    self.explanation = explanation
  }

  /// The words of the public contract.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case away, busy, retained, invalid
    case outOfRange = "out_of_range"
    case unknownProperty = "unknown_property"
    case readOnly = "read_only"
    case unsupported
    case notNow = "not_now"
    case lockedOut = "locked_out"
    case full, timeout
    case linkError = "link_error"
    case tooLarge = "too_large"
  }
}
