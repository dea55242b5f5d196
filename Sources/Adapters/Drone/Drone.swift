public import DeviceModel

/// A Parrot AR.Drone over UDP: commands go out at a beat, telemetry comes in, and in the air a navigator steers.
///
/// The drone does what the last commands said until it has heard nothing for a quarter of a second, then hovers, and
/// after two seconds obeys nobody until told so: so the beat goes on, on the ground too, slower.
public struct Drone: Adapter {
  public static let telemetry: LinkRole = "telemetry"

  public var description: DeviceDescription { DroneProperty.description }

  let settings: DroneSettings
  var navigator: DroneNavigator
  var course = DroneNavigator.Course.hover(.noTarget)
  var steeredAt: Duration?

  var isUp = false
  private var sequence = 0
  /// Datagrams that are yet to begin with the number 1.
  private var restarts = 0
  /// The last packet that held the short form, and when; nil before it and after the link was down.
  var heard: (telemetry: DroneTelemetry, demo: DroneTelemetry.Demo, at: Duration)?
  /// Of the last packet of telemetry of any form.
  var telemetrySequence: UInt32?
  var linkUpAt = Duration.zero

  /// Whether the drone is told to be in the air.
  var isToFly = false
  /// The drone has been in the air since it was told so.
  var hasFlown = false
  /// It was told to land, and has not been seen on the ground since.
  var isToLand = false
  /// It has been in the air or told to take off, and has not been seen on the ground since.
  var mayBeInTheAir = false
  /// It landed to be left alone.
  var isResting = false
  var restsAfterLanding = false
  /// The bridge is about to go.
  var isLeaving = false

  var press: EmergencyPress?
  var order: Order?
  /// Since when nobody can steer it.
  var brokerLostAt: Duration?
  /// Since when it has been found in the air, and steered by nobody.
  var adoptedAt: Duration?

  var activity: DroneProperty.Activity?
  var hasToldBatteryLow = false
  var hasToldTelemetryLost = false
  var hasToldPositionLost = false
  var hasToldArrival = false
  var reports = Pace(.milliseconds(500))

  /// A take-off whose effect is awaited.
  struct Order: Hashable, Sendable {
    var batch: UInt64
    var property: PropertyKey
    var until: Duration
  }

  /// The emergency switch held down until the drone says that it acted.
  struct EmergencyPress: Hashable, Sendable {
    var order: Order
    /// What the drone is to say.
    var isEmergency: Bool
  }

  init(_ settings: DroneSettings = DroneSettings()) {
    self.settings = settings
    navigator = DroneNavigator()
    navigator.speed = settings.speed
    navigator.reach = settings.reach
    navigator.mountingOffset = settings.mountingOffset
  }

  public var followedTopics: [FollowedTopic] {
    settings.ownTracksTopic.map { [FollowedTopic("owntracks", filter: $0)] } ?? []
  }

  /// It is told to land until it stands: a packet may be lost, and nobody else will say it.
  public var hasLastWords: Bool { isLeaving && isUp && mayBeInTheAir }

  enum Timing {
    /// ``steering`` is a multiple of it; three packets in a row may be lost before the drone hovers by itself.
    static let beatInTheAir = Duration.milliseconds(50)
    static let beatOnTheGround = Duration.milliseconds(500)
    static let steering = Duration.milliseconds(250)
    /// Without telemetry for so long it hovers.
    static let telemetry = Duration.seconds(1)
    /// Without telemetry for so long on the ground it counts as away.
    static let silence = Duration.seconds(5)
    static let takeOff = Duration.seconds(10)
    static let press = Duration.seconds(2)
  }

  enum Timer {
    static let beat = "beat"
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .received(Self.telemetry, let bytes): receive(bytes, at: now.uptime, into: &outputs)
    case .timerFired(Timer.beat): beat(at: now.uptime, into: &outputs)
    case .linkUp(.board, _): begin(at: now.uptime, into: &outputs)
    case .linkUp(Self.telemetry, _): askForTelemetry(into: &outputs)
    case .linkDown(.board, let reason): end(reason, into: &outputs)
    case .commands(let batch): accept(batch, at: now, into: &outputs)
    case .message(let message): locate(by: message, at: now, into: &outputs)
    case .broker(let isConnected): brokerChanged(isConnected, at: now.uptime, into: &outputs)
    case .stopping: leave(at: now.uptime, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a drone takes no raw bytes")))
    default: break
    }
  }

  // MARK: the session

  private mutating func begin(at now: Duration, into outputs: inout [Output]) {
    end("a new link is up", into: &outputs)
    isUp = true
    linkUpAt = now
    restarts = Self.restartsOfSession
    askForTelemetry(into: &outputs)
    beat(at: now, into: &outputs)
  }

  /// What is known is forgotten, but not that it is to land, nor that it may be in the air.
  private mutating func end(_ reason: String, into outputs: inout [Output]) {
    isUp = false
    sequence = 0
    heard = nil
    telemetrySequence = nil
    isToFly = false
    hasFlown = false
    navigator.head(for: nil)
    steeredAt = nil
    adoptedAt = nil
    course = .hover(.noTarget)
    outputs.append(.cancelTimer(Timer.beat))
    for order in [self.order, press?.order].compactMap(\.self) {
      outputs.append(.reject(order.batch, order.property, Rejection(.linkError, reason)))
    }
    order = nil
    press = nil
    guard activity != nil else { return }
    activity = nil
    for key in [
      DroneProperty.activity, DroneProperty.altitude, DroneProperty.battery, DroneProperty.target,
      DroneProperty.distance, DroneProperty.bearing,
    ] {
      outputs.append(.report(key, .unknown))
    }
  }

  /// Any packet makes it send to where that came from.
  func askForTelemetry(into outputs: inout [Output]) {
    outputs.append(.send(.init([1, 0, 0, 0], on: Self.telemetry, policy: .latest("ask"))))
  }

  /// The drone passes over a number below the last that it took, of whoever was there before too, unless it is 1; and
  /// the first datagram may be lost.
  private static let restartsOfSession = 10

  /// Numbers begin anew.
  mutating func restart() { sequence = 0 }

  /// One datagram; `word` tells which of those that could not leave yet it replaces, nil for none.
  mutating func send(_ commands: [DroneCommand], as word: String? = "beat", into outputs: inout [Output]) {
    if heard == nil || restarts > 0 { restart() }
    restarts = max(0, restarts - 1)
    var bytes: [UInt8] = []
    for command in commands {
      sequence += 1
      bytes += command.line(sequence)
    }
    outputs.append(.send(.init(bytes, policy: word.map { .latest($0) } ?? .keep)))
  }
}
