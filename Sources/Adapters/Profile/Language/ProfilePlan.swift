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
