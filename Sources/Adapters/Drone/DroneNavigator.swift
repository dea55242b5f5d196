import Glibc

/// Steers from where the drone is to where it is to be, on a plane that touches the earth there.
struct DroneNavigator: Hashable, Sendable {
  /// Degrees, WGS 84.
  struct Place: Hashable, Sendable {
    var latitude: Double
    var longitude: Double
  }

  /// Where the drone was, and how well that is known.
  struct Position: Hashable, Sendable {
    var place: Place
    /// Degrees clockwise from true north of what looks ahead on what tells the position; nil when it does not tell.
    var heading: Double?
    /// Metres.
    var accuracy: Double?
    /// On the clock that never jumps.
    var time: Duration
  }

  /// What to do now.
  enum Course: Hashable, Sendable {
    case hover(Reason)
    /// Shares of the greatest speed of turning, clockwise positive, and of going forward.
    case go(yaw: Double, forward: Double)
  }

  enum Reason: Hashable, Sendable {
    case noTarget
    /// It is there, and stays until there is a new target.
    case arrived
    case noPosition(String)
    /// The target is so many metres away, and that is farther than it is let fly.
    case tooFar(Double)
  }

  /// A position is good for so long.
  static let freshness = Duration.seconds(5)
  /// Metres, of a position that can be flown by.
  static let worstAccuracy = 25.0
  /// Metres.
  static let arrivalDistance = 1.0
  /// Degrees off the bearing within which it goes forward.
  static let aheadSector = 45.0
  /// Share of the greatest speed of turning for a degree off the bearing.
  static let yawPerDegree = 0.01
  /// Metres, the mean of the earth's radii (IUGG).
  static let earthRadius = 6_371_008.8

  /// Degrees clockwise from the drone's nose to what looks ahead on what tells the position: 90 for a phone that lies
  /// across.
  var mountingOffset = 0.0
  /// Share of the greatest speed.
  var speed = 0.2
  /// Metres from the drone beyond which a target is taken for a mistake.
  var reach = 100.0

  private(set) var target: Place?
  private(set) var position: Position?
  private var hasArrived = false
  /// The target has been within ``reach`` since it was set.
  private var hasBeenInReach = false

  mutating func head(for target: Place?) {
    self.target = target
    hasArrived = false
    hasBeenInReach = false
  }

  /// False for a position that was on its way for longer than the last: it is worth nothing.
  @discardableResult
  mutating func locate(_ position: Position) -> Bool {
    if let last = self.position, last.time > position.time { return false }
    self.position = position
    return true
  }

  /// Metres and degrees clockwise from true north, from the position to the target; nil while either is missing.
  var way: (distance: Double, bearing: Double)? {
    guard let target, let position else { return nil }
    return Self.way(from: position.place, to: target)
  }

  static func way(from start: Place, to end: Place) -> (distance: Double, bearing: Double) {
    let perDegree = earthRadius * .pi / 180
    let north = (end.latitude - start.latitude) * perDegree
    let east =
      Self.turn(end.longitude - start.longitude) * perDegree * cos(start.latitude * .pi / 180)
    let bearing = atan2(east, north) * 180 / .pi
    return ((north * north + east * east).squareRoot(), bearing < 0 ? bearing + 360 : bearing)
  }

  /// Metres to `place` when it is farther than a target may be; nil when it is not, or nobody can tell.
  func excess(to place: Place, at now: Duration) -> Double? {
    guard let position, placeFlaw(at: now) == nil else { return nil }
    let distance = Self.way(from: position.place, to: place).distance
    return distance > reach ? distance : nil
  }

  /// Why the position cannot be flown by; nil when it can.
  func flaw(at now: Duration) -> String? {
    placeFlaw(at: now) ?? (position?.heading == nil ? "no heading is known" : nil)
  }

  private func placeFlaw(at now: Duration) -> String? {
    guard let position else { return "no position is known" }
    if now - position.time > Self.freshness { return "the position is older than 5 s" }
    if let accuracy = position.accuracy, accuracy > Self.worstAccuracy {
      return "the position is only known to \(Int(accuracy.rounded())) m"
    }
    return nil
  }

  mutating func course(at now: Duration) -> Course {
    guard target != nil else { return .hover(.noTarget) }
    if hasArrived { return .hover(.arrived) }
    if let flaw = flaw(at: now) { return .hover(.noPosition(flaw)) }
    guard let way, let heading = position?.heading else { return .hover(.noTarget) }
    guard way.distance >= Self.arrivalDistance else {
      hasArrived = true
      return .hover(.arrived)
    }
    // The best position may be as far off, and wind may carry it: not what was within reach.
    guard way.distance <= reach + (hasBeenInReach ? Self.worstAccuracy : 0) else {
      return .hover(.tooFar(way.distance))
    }
    hasBeenInReach = true
    let difference = Self.turn(way.bearing - heading - mountingOffset)
    return .go(
      yaw: max(-1, min(1, difference * Self.yawPerDegree)),
      forward: difference.magnitude < Self.aheadSector ? speed : 0)
  }

  /// The same angle within −180 … 180 degrees.
  static func turn(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest > 180 ? rest - 360 : rest < -180 ? rest + 360 : rest
  }
}
