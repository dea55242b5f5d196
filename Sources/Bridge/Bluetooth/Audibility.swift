import EventLoop

/// Whether advertisements can be heard: as Bluetooth says of itself, unless nothing has scanned for long.
///
/// A board that is being connected keeps the adapter from scanning for some seconds, of which listeners are told
/// otherwise. After ``bearable`` it is no such moment: an adapter may be on and refuse every scan.
struct Audibility: Hashable {
  /// What Bluetooth says.
  var bluetooth = Ear.Hearing.deaf("Bluetooth was not asked yet")
  private var deafSince: MonotonicTime?

  /// A presence may then have changed without a sign of it.
  static let bearable = Duration.seconds(60)

  mutating func deafen(_ isDeaf: Bool, at now: MonotonicTime) {
    deafSince = isDeaf ? deafSince ?? now : nil
  }

  /// When ``hearing(at:)`` changes by itself; nil when it does not.
  var deadline: MonotonicTime? {
    bluetooth == .hears ? deafSince?.advanced(by: Self.bearable) : nil
  }

  func hearing(at now: MonotonicTime) -> Ear.Hearing {
    guard let deadline, now >= deadline else { return bluetooth }
    return .deaf("the Bluetooth adapter does not scan")
  }
}
