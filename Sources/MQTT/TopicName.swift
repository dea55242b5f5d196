/// The rules for the name of a topic that is published to (MQTT 5, section 4.7).
public enum TopicName {
  /// What is wrong with `topic`; `nil` when it may be published to.
  public static func problem(with topic: String) -> TopicProblem? {
    var length = 0
    for byte in topic.utf8 {
      switch byte {
      case 0: return .containsNull
      case UInt8(ascii: "+"), UInt8(ascii: "#"): return .containsWildcard
      default: length += 1
      }
    }
    if length == 0 { return .empty }
    return length > 65_535 ? .tooLong(bytes: length) : nil
  }
}

/// Why a text is neither a topic nor a topic filter.
public enum TopicProblem: Error, Equatable, Sendable, CustomStringConvertible {
  case empty
  case tooLong(bytes: Int)
  case containsNull
  case containsWildcard
  /// `+` and `#` fill a whole level, `#` the last one.
  case misplacedWildcard(level: Int)

  public var description: String {
    switch self {
    case .empty: "it is empty"
    case .tooLong(let bytes): "it has \(bytes) bytes, 65535 at most"
    case .containsNull: "it contains a null character"
    case .containsWildcard: "it contains + or #"
    case .misplacedWildcard(let level):
      "level \(level): + and # stand alone in their level, # only in the last"
    }
  }
}
