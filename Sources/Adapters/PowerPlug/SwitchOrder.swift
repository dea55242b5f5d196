import DeviceModel

/// What one batch asks of power and mode, and how a classic board is brought there.
///
/// `S 1` and `S 0` switch by hand and put the board into manual mode. On some boards `S 0` returns to automatic
/// instead; there the appliance cannot be switched off by hand.
struct SwitchOrder: Hashable, Sendable {
  var isOn: Bool?
  var isManual: Bool?

  var isEmpty: Bool { isOn == nil && isManual == nil }

  /// What `S 0` did when it was last tried.
  enum OffByHand: Hashable, Sendable {
    case untried, exists
    case returnsToAutomatic
  }

  /// What is sent, and what the board's next `S` has to say.
  struct Plan: Hashable, Sendable {
    var states: [UInt8] = []
    var isOn: Bool?
    var isManual: Bool?

    func isMet(by status: PlugStatus) -> Bool {
      (isOn == nil || status.isOn == isOn) && (isManual == nil || status.isManual == isManual)
    }
  }

  /// Refuses what this board cannot do; nothing has been sent then.
  ///
  /// - Parameters:
  ///   - status: What the board last said; nil when it has said nothing yet.
  ///   - running: The name of an activation that runs now.
  func plan(status: PlugStatus?, offByHand: OffByHand, running: String?) throws(Rejection) -> Plan {
    let lacksOff = offByHand == .returnsToAutomatic
    switch (isManual, isOn) {
    case (nil, nil): return Plan()
    case (nil, false?):
      if lacksOff, let running {
        throw Rejection(
          .unsupported, "off returns this board to automatic, where '\(running)' keeps it on")
      }
      return Plan(states: [0], isOn: false)
    case (nil, true?): return Plan(states: [1], isOn: true)
    case (true?, let isOn?):
      if !isOn, lacksOff { throw Self.noOffByHand }
      return Plan(states: [isOn ? 1 : 0], isOn: isOn, isManual: true)
    case (true?, nil):
      guard let status else {
        throw Rejection(.notNow, "the board has not said yet whether it is on, which manual would keep")
      }
      guard !status.isManual else { return Plan() }
      if !status.isOn, lacksOff { throw Self.noOffByHand }
      return Plan(states: [status.isOn ? 1 : 0], isOn: status.isOn, isManual: true)
    case (false?, let isOn):
      if offByHand == .exists { throw Self.noWayBack }
      if isOn == nil, status?.isManual == false { return Plan() }
      return Plan(states: isOn == true ? [1, 0] : [0], isManual: false)
    }
  }

  static let noOffByHand = Rejection(
    .unsupported, "off returns this board to automatic: it cannot be off in manual mode")
  static let noWayBack = Rejection(
    .unsupported, "this board stays in manual mode when it is switched off: it has no way back to automatic")
}
