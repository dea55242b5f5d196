/// Why a text is not acceptable JSON, and where.
///
/// The description never quotes the text: it may hold a PIN.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Reason: Sendable, Equatable {
    /// Larger than ``JSON/Limits/size``, in bytes.
    case tooLarge(size: Int, limit: Int)
    /// Nested more deeply than ``JSON/Limits/depth``.
    case tooDeep(limit: Int)
    case invalidUTF8
    case endsTooEarly
    case textAfterValue
    case duplicateKey
    /// An integer beyond 64 bits, or a number beyond the range of a double.
    case numberOutOfRange
    /// `\u0000`, which none of our texts can carry.
    case nulCharacter
    /// Anything else that the grammar forbids, in the parser's words.
    case syntax(String)
  }

  /// The last character that was read; line and column count from 1, the column in characters.
  public struct Position: Sendable, Equatable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  public var reason: Reason
  /// nil if the text as a whole was refused.
  public var position: Position?

  public init(_ reason: Reason, at position: Position? = nil) {
    self.reason = reason
    self.position = position
  }

  public var description: String {
    guard let position else { return "not JSON: \(reason.description)" }
    return "not JSON at line \(position.line), column \(position.column): \(reason.description)"
  }
}

extension JSONError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let size, let limit): "\(size) bytes, at most \(limit) are accepted"
    case .tooDeep(let limit): "nested more than \(limit) deep"
    case .invalidUTF8: "not UTF-8"
    case .endsTooEarly: "it ends too early"
    case .textAfterValue: "more text after the end of the value"
    case .duplicateKey: "the same key twice in one object"
    case .numberOutOfRange: "number out of range"
    case .nulCharacter: "\\u0000 is not accepted"
    case .syntax(let text): text
    }
  }
}
