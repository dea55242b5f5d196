/// The activations of a table, in the order of their slots.
struct PlugSchedule: Hashable, Sendable {
  var activations: [Activation]

  init(_ activations: [Activation]) { self.activations = activations }
  init(_ slots: [PlugSlot]) { activations = slots.compactMap(\.activation) }

  /// Of several, the one in the lowest slot.
  func running(at time: Int64) -> Activation? { activations.first { $0.isOn(at: time) } }

  /// When any of the activations switches on or off next.
  func nextChange(after time: Int64) -> Int64? {
    activations.flatMap { [$0.nextOn(after: time), $0.nextOff(after: time)].compactMap(\.self) }.min()
  }

  /// When the appliance is switched next: activations that overlap or touch are one stretch.
  ///
  /// Nil when nothing is to come, and when no end is found within a thousand cycles.
  func nextSwitch(after time: Int64) -> Int64? {
    guard running(at: time) != nil else { return activations.compactMap { $0.nextOn(after: time) }.min() }
    var end = time
    for _ in 0..<1000 {
      var latest: Int64?
      for activation in activations where activation.isOn(at: end) {
        guard let off = activation.nextOff(after: end) else { return nil }
        latest = max(latest ?? off, off)
      }
      guard let latest else { return end }
      end = latest
    }
    return nil
  }

  /// Whether any two activations are on at one time, now or later, or one is longer than its own period.
  func hasClash(after now: Int64) -> Bool {
    for (index, activation) in activations.enumerated() {
      if activation.periodMinutes > 0, activation.lengthMinutes > activation.periodMinutes { return true }
      if activations[..<index].contains(where: { $0.clashes(with: activation, after: now) }) { return true }
    }
    return false
  }
}
