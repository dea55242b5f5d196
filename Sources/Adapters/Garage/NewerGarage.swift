import DeviceModel

/// What is known of a board that speaks in lines, and the talk with it.
struct NewerGarage: Sendable {
  var session = LineForm.Session(.mayAsk, introduction: .milliseconds(300))
  var reader = LineForm.Reader()
  /// Values of its entities, by key, since it was greeted.
  private(set) var values: [String: LineForm.BareValue] = [:]
  /// All values were told since the greeting.
  private(set) var isComplete = false

  enum Key {
    static let challenge = "challenge"
    static let authorize: PropertyKey = "authorize"
    static let alert = "alert"
    static let pins = "pins"
  }

  /// An answer that was refused was refused again, given to the next challenge: that was not why.
  var isSecondAnswerVain = false

  /// Those that were answered last, the newest at the end.
  private var spent: [[UInt8]] = []
  private static let mostSpent = 32

  /// Nil until the board has told one; each is good for one command, also when it is told again.
  var challenge: [UInt8]? {
    guard isComplete, case .text(let text)? = values[Key.challenge],
      let challenge = GarageAuthentication.challenge(text), !spent.contains(challenge)
    else { return nil }
    return challenge
  }

  /// Nil while it is not known.
  var door: DoorCycle.Position? {
    guard case .number(let number)? = values["door"] else { return nil }
    switch number {
    case 0: return .closed
    case 1: return .open
    case 2: return .opening
    case 3: return .closing
    // Stopped on its way: it is not closed.
    case 4: return .open
    default: return nil
    }
  }

  func number(_ key: PropertyKey) -> Double? {
    if case .number(let number)? = values[key.text] { number } else { nil }
  }

  /// What is known of its PINs; nil for a board that tells nothing of them.
  var places: PINPlaces? {
    get {
      guard case .text(let text)? = values[Key.pins] else { return nil }
      return PINPlaces(text)
    }
    set { values[Key.pins] = newValue.map { .text($0.text) } }
  }

  mutating func linkUp(_ maximumPacket: Int?, into outputs: inout [Output]) {
    session.linkUp(maximumPacket: maximumPacket, into: &outputs)
  }

  mutating func linkDown(_ reason: String, into outputs: inout [Output]) {
    session.linkDown(reason, into: &outputs)
    values = [:]
    isComplete = false
    reader.reset()
  }

  /// A challenge that was answered is none any more.
  ///
  /// One that was told before a refusal is none either: the board makes a new one after each answer.
  mutating func spendChallenge() {
    if let challenge { spent.append(challenge) }
    if spent.count > Self.mostSpent { spent.removeFirst() }
    values[Key.challenge] = nil
  }

  /// The alerts among what the board told.
  mutating func take(_ facts: [LineForm.Session.Fact]) -> [String] {
    var alerts: [String] = []
    for fact in facts {
      switch fact {
      case .greeted:
        values = [:]
        isComplete = false
      case .value(let index, let value):
        if let key = session.known?.entities[index]?.key { values[key] = value }
      case .event(let index, let type):
        if let options = session.known?.entities[index]?.options, options.indices.contains(type) {
          alerts.append(options[type])
        }
      case .complete: isComplete = true
      case .described, .table, .idle: break
      }
    }
    return alerts
  }
}
