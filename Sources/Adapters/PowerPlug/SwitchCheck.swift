import DeviceModel

/// A switching that has been sent and that the board has yet to confirm by its own `S`.
struct SwitchCheck: Hashable, Sendable {
  /// The batch to reject; nil for a switching of the bridge's own.
  var batch: UInt64?
  var plan: SwitchOrder.Plan
  /// Whether the appliance is to be on when a way back to automatic was tried in vain.
  var fallback: Bool
  /// A new session was asked for; its first `S` decides.
  var isInNextSession = false
  /// The board's greeting had come before the switching was sent, so that an `S` behind it is news.
  var hadGreeting: Bool

  /// What `S 0` turned out to do.
  func offByHand(_ status: PlugStatus) -> SwitchOrder.OffByHand? {
    guard plan.states.last == 0, isInNextSession || hadGreeting else { return nil }
    return status.isManual ? .exists : .returnsToAutomatic
  }

  /// Why the board's word is not what was wanted.
  func rejection(_ status: PlugStatus) -> (PropertyKey, Rejection) {
    if plan.isManual == false { return (PlugProperty.mode, SwitchOrder.noWayBack) }
    if plan.states.last == 0, !status.isManual {
      if plan.isManual == true { return (PlugProperty.mode, SwitchOrder.noOffByHand) }
      return (
        PlugProperty.power,
        Rejection(.unsupported, "off returned this board to automatic, which keeps the appliance on")
      )
    }
    let isOn = status.isOn ? "on" : "off"
    return (
      plan.isOn == nil ? PlugProperty.mode : PlugProperty.power,
      Rejection(
        .timeout, "the board still says that it is \(isOn), \(status.isManual ? "manual" : "automatic")")
    )
  }
}
