import DeviceModel

/// What is heard of the beacons of one item: of one, or of the members of a group.
struct BeaconSignals: Hashable, Sendable {
  struct Signal: Hashable, Sendable {
    var strength: SignalStrength
    var powerDBm: Int?
    /// The one it had when it was last heard: frames without identity come from the same.
    var address: String
    var battery: Int?
    var heardAt: Duration
    /// When its strength was last told.
    var measuredAt: Duration
    /// The last strength was less than what counts.
    var isWeak = false
  }

  /// Members beyond these are heard and not measured.
  static let most = 16

  private(set) var members: [BeaconIdentity: Signal] = [:]

  /// Of one that is heard without its strength the last one stands.
  mutating func hear(_ frame: BeaconFrame, in advertisement: Advertisement, at now: Duration) {
    guard let rssi = advertisement.rssiDBm else {
      members[frame.identity]?.heardAt = now
      return
    }
    if members[frame.identity] != nil {
      members[frame.identity]?.strength.read(rssi, at: now)
      members[frame.identity]?.powerDBm = frame.powerDBm
      members[frame.identity]?.heardAt = now
      members[frame.identity]?.measuredAt = now
      members[frame.identity]?.isWeak = false
      if members[frame.identity]?.address != advertisement.address {
        members[frame.identity]?.address = advertisement.address
      }
    } else if members.count < Self.most {
      members[frame.identity] = Signal(
        strength: SignalStrength(rssi, at: now), powerDBm: frame.powerDBm, address: advertisement.address,
        heardAt: now, measuredAt: now)
    }
  }

  /// It is heard, and too weakly to count.
  mutating func hearWeakly(_ identity: BeaconIdentity) { members[identity]?.isWeak = true }

  /// Whether its last strength was one that counts.
  func isStrong(_ identity: BeaconIdentity) -> Bool { members[identity]?.isWeak == false }

  /// Whether a frame without identity came from one of them.
  func isKnown(_ address: String) -> Bool { members.values.contains { $0.address == address } }

  mutating func tellBattery(_ percent: Int, of address: String) {
    guard let identity = members.first(where: { $0.value.address == address })?.key else { return }
    members[identity]?.battery = percent
  }

  /// Those that have been silent are no measure of anything, nor is a strength that was told long ago.
  mutating func forget(heardBefore heard: Duration, measuredBefore measured: Duration) {
    func isOver(_ signal: Signal) -> Bool { signal.heardAt < heard || signal.measuredAt < measured }
    if members.values.contains(where: isOver) { members = members.filter { !isOver($0.value) } }
  }

  mutating func forgetAll() { members = [:] }

  /// The strongest, taking into account with what power each speaks.
  var nearest: Signal? {
    members.count == 1
      ? members.first?.value
      : members.values.max { $0.excess < $1.excess }
  }
}

extension BeaconSignals.Signal {
  fileprivate var excess: Double { strength.dBm - Double(powerDBm ?? -59) }
}
