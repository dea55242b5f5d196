import Glibc

/// How an AR.Drone moves through the air: enough to fly to a place, be blown off and land.
///
/// Metres and seconds on a plane; degrees clockwise from true north.
public struct DroneBody: Hashable, Sendable {
  public enum Stage: Hashable, Sendable {
    case landed, takingOff, flying, landing
    /// With the motors off.
    case falling
  }

  public var north = 0.0
  public var east = 0.0
  public var altitude = 0.0
  public var heading = 0.0
  /// Percent.
  public var battery = 100.0
  public private(set) var stage = Stage.landed
  /// Metres a second, where the air goes.
  public var windNorth = 0.0
  public var windEast = 0.0

  private var speed = 0.0

  /// What it is steered by: shares of the greatest speed forward and of turning clockwise; nil to stay.
  public struct Steering: Hashable, Sendable {
    public var forward: Double
    public var turn: Double
  }

  /// Metres a second, degrees a second, metres.
  private static let greatestSpeed = 5.0
  private static let greatestTurn = 100.0
  private static let hoverAltitude = 1.0
  private static let climb = 0.7
  /// Seconds until a change of speed has mostly happened.
  private static let inertia = 0.4
  /// What its camera does not see of a drift while it stays where it is.
  private static let unseenDrift = 0.1
  /// Percent a second in the air: ten minutes.
  private static let consumption = 100.0 / 600

  public init() {}

  public mutating func takeOff() {
    if stage == .landed { stage = .takingOff }
  }

  public mutating func land() {
    if stage == .flying || stage == .takingOff { stage = .landing }
  }

  public mutating func cutMotors() {
    if stage != .landed { stage = .falling }
  }

  public mutating func pass(_ seconds: Double, steering: Steering?) {
    switch stage {
    case .landed: return
    case .takingOff:
      altitude += Self.climb * seconds
      if altitude >= Self.hoverAltitude { stage = .flying }
    case .landing:
      altitude -= Self.climb * seconds
      if altitude <= 0 { touchDown() }
    case .falling:
      altitude -= 5 * seconds
      if altitude <= 0 { touchDown() }
    case .flying: steer(seconds, steering)
    }
    if stage != .landed { drift(seconds, isSeen: steering == nil) }
    battery = max(0, battery - Self.consumption * seconds)
  }

  private mutating func touchDown() {
    altitude = 0
    speed = 0
    stage = .landed
  }

  private mutating func steer(_ seconds: Double, _ steering: Steering?) {
    let wanted = (steering?.forward ?? 0) * Self.greatestSpeed
    speed += (wanted - speed) * min(1, seconds / Self.inertia)
    heading += (steering?.turn ?? 0) * Self.greatestTurn * seconds
    heading = (heading.truncatingRemainder(dividingBy: 360) + 360).truncatingRemainder(dividingBy: 360)
  }

  private mutating func drift(_ seconds: Double, isSeen: Bool) {
    let share = isSeen ? Self.unseenDrift : 1
    north += (speed * cos(heading * .pi / 180) + windNorth * share) * seconds
    east += (speed * sin(heading * .pi / 180) + windEast * share) * seconds
  }
}
