import DeviceModel

/// How one property is read and set.
struct PropertyPlan: Sendable, Hashable {
  var key: PropertyKey
  /// The value's name in messages; nil when the board does not tell it.
  var field: String?
  /// The only message it is taken from, by its place; nil for any.
  var message: Int?
  var reading: ValueReading
  var commands: [Property.Verb: CommandRule] = [:]
  /// What left for the board is what holds.
  var isAssumed = false

  /// What is reported when a command has left, or was confirmed.
  func reported(for command: Value) -> Value {
    switch command {
    case .text("LOCK"): "LOCKED"
    case .text("UNLOCK"): "UNLOCKED"
    case .text("OPEN") where reading.isOfCover: "open"
    case .text("CLOSE") where reading.isOfCover: "closed"
    case .text("STOP") where reading.isOfCover: "stopped"
    default: command
    }
  }
}

extension ValueReading {
  var isOfCover: Bool { sort == .word(PropertyWords.cover) }
}
