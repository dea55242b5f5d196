import DeviceModel

/// Says from the history alone whether a pulse of the relay was right. It knows no machine and no state: only what was
/// delivered, and when.
struct GarageOracle {
  enum Kind: Hashable { case enterBeacon, armed }

  struct Delivery {
    var person: String
    var kind: Kind
    /// When it came, and when it happened as far as it says, in seconds.
    var at: Double
    var dated: Double
    var isFresh: Bool
    /// A position: it is an arrival only for who was known to be out of the beacon's region.
    var isPosition = false
    /// Set when it is delivered: it says that the person has come, not only is there.
    var isCrossing = true
    /// When the last attempt to open for it failed, unless the door was opened since.
    var failedAt: Double?
    var hasFailed: Bool { failedAt != nil }
  }

  /// Live and well-formed messages only; the retained, the malformed and those of the future are not in here.
  private(set) var deliveries: [Delivery] = []
  private var commands: [Double] = []
  /// When the door may have begun to move.
  private var pulses: [Double] = []
  /// When it was told for sure that a pulse was sent.
  private var confirmed: [Double] = []
  /// The last pulse, as long as its fate is not known.
  private var undecided: (at: Double, person: String, before: [Double])?

  /// From a pulse until the door is closed again.
  static let whole = 50.0
  /// From a cause to its pulse, at most.
  static let patience = 10.0

  /// Where everybody is, is not kept across it: that many deliveries came before.
  private var forgotten = 0

  mutating func deliver(_ delivery: Delivery) {
    var delivery = delivery
    if delivery.isPosition, delivery.kind == .enterBeacon {
      delivery.isCrossing = isKnownElsewhere(delivery.person)
    }
    deliveries.append(delivery)
  }

  /// The newest that was told of the beacon's region is that the person is not in it. Only positions tell that.
  private func isKnownElsewhere(_ person: String) -> Bool {
    var newest: Delivery?
    for delivery in deliveries[forgotten...] where delivery.person == person {
      guard delivery.kind == .enterBeacon || delivery.isPosition else { continue }
      if let newest, delivery.dated < newest.dated { continue }
      newest = delivery
    }
    return newest?.kind == .armed
  }

  mutating func command(at now: Double) { commands.append(now) }

  /// Nil when the pulse was right, else why not. `person` is whose PIN was sent.
  mutating func pulse(by person: String, commander: String, at now: Double) -> String? {
    defer {
      undecided = (now, person, pulses)
      pulses.append(now)
    }
    if let last = pulses.last, now - last < Self.whole {
      return "the door was open: pulsed \(now - last) s before"
    }
    if person == commander, let index = commands.firstIndex(where: { now - $0 <= Self.patience }) {
      commands.remove(at: index)
      return nil
    }
    let hasCome = deliveries.indices.contains { isArrival($0, of: person, at: now) }
    if hasCome { return nil }
    let last = deliveries.filter { $0.person == person }.suffix(14).map { delivery in
      "\(delivery.kind) at \(delivery.at), dated \(delivery.dated)\(delivery.isFresh ? "" : ", stale")"
        + (isOver(delivery) && delivery.kind == .enterBeacon ? ", over" : "")
        + (delivery.hasFailed ? ", failed" : "") + (delivery.isPosition ? ", a position" : "")
    }
    return "\(person) neither came home nor commanded it; told was: " + last.joined(separator: "; ")
  }

  /// Whoever stands before the door is in, even if nobody waited for this word any more.
  mutating func lastPulseWasSent(at now: Double) {
    guard undecided != nil else { return }
    undecided = nil
    confirmed.append(now)
    for index in deliveries.indices[forgotten...] where !hasLeft(since: index) {
      if let failedAt = deliveries[index].failedAt, now - failedAt <= 120 { deliveries[index].failedAt = nil }
    }
  }

  private func hasLeft(since index: Int) -> Bool {
    let arrival = deliveries[index]
    return deliveries[index...].contains {
      $0.person == arrival.person && $0.kind == .armed && $0.isFresh && $0.dated > arrival.dated
    }
  }

  /// The board has not got the last pulse for sure.
  mutating func lastPulseFailed() {
    guard let undecided else { return }
    pulses = undecided.before
    markFailed(at: undecided.at)
    self.undecided = nil
  }

  /// Whether the board got it is not known: the door may move, and whoever came may come again.
  mutating func lastPulseIsDoubtful() {
    if let undecided { markFailed(at: undecided.at) }
    undecided = nil
  }

  mutating func restart(at now: Double) {
    lastPulseIsDoubtful()
    attemptFailed(at: now)
    forgotten = deliveries.count
  }

  /// An attempt ended without a pulse.
  mutating func attemptFailed(at now: Double) { markFailed(at: now) }

  /// Arrivals for which nothing has been opened since.
  private mutating func markFailed(at now: Double) {
    for index in deliveries.indices where deliveries[index].kind == .enterBeacon {
      let at = deliveries[index].at
      if now - at <= Self.patience + 1, !confirmed.contains(where: { $0 >= at }) {
        deliveries[index].failedAt = now
      }
    }
  }

  /// A live and fresh arrival of one who has left since the last arrival that was told, in the order of the dates.
  private func isArrival(_ index: Int, of person: String, at now: Double) -> Bool {
    let arrival = deliveries[index]
    guard arrival.person == person, arrival.kind == .enterBeacon, arrival.isCrossing, arrival.isFresh,
      now - arrival.at <= Self.patience + 0.001
    else { return false }
    return deliveries[..<index].contains { leaving in
      guard leaving.person == person, leaving.kind == .armed, leaving.isFresh, leaving.dated <= arrival.dated
      else { return false }
      return !deliveries[..<index].indices.contains { place in
        let other = deliveries[place]
        return other.person == person && other.kind == .enterBeacon && other.dated >= leaving.dated
          && isOver(other) && !isOutdated(place)
      }
    }
  }

  /// Whether an arrival was the end of being out.
  private func isOver(_ arrival: Delivery) -> Bool { arrival.isCrossing && !arrival.hasFailed }

  /// Whether a later leaving was known already, be it stale, when an arrival was told.
  private func isOutdated(_ index: Int) -> Bool {
    let arrival = deliveries[index]
    return deliveries[..<index].contains {
      $0.person == arrival.person && $0.kind == .armed && $0.dated > arrival.dated
    }
  }
}
