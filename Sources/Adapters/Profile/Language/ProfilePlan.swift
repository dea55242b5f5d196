import DeviceModel

/// A profile, checked and made ready to be carried out.
struct ProfilePlan: Sendable, Hashable {
  var description: DeviceDescription
  var frame: FrameRule
  /// In the order in which they are tried.
  var messages: [MessageRule]
  var properties: [PropertyPlan]
  var sending = SendingRule()
  var onConnect: [Exchange] = []
  var polls: [Poll] = []
  /// A board that says nothing for so long is away.
  var silence: Duration?
  /// A session that is not held is over when these have come, by their places among the messages.
  var until: Set<Int> = []

  subscript(key: PropertyKey) -> PropertyPlan? { properties.first { $0.key == key } }

  /// The board is available after its first message, not when its link is up.
  var speaks: Bool {
    silence != nil || !until.isEmpty || onConnect.contains { $0.expectation != .none }
      || polls.contains { $0.exchange.expectation != .none }
  }
}

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

/// The states that Home Assistant has words for.
enum PropertyWords {
  static let lock = ["LOCKED", "LOCKING", "UNLOCKED", "UNLOCKING", "JAMMED"]
  static let cover = ["open", "opening", "closed", "closing", "stopped"]
  static let tracker = ["home", "not_home"]
}
