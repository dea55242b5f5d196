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
  private var steeredAt: Duration?

  private var isUp = false
  private var sequence = 0
  /// The last packet that held the short form, and when; nil before it and after the link was down.
  var heard: (telemetry: DroneTelemetry, demo: DroneTelemetry.Demo, at: Duration)?
  /// Of the last packet of telemetry of any form.
  var telemetrySequence: UInt32?
  private var linkUpAt = Duration.zero

  /// Whether the drone is told to be in the air.
  var isToFly = false
  /// The drone has been in the air since it was told so.
  var hasFlown = false
  /// It landed to be left alone.
  var isResting = false
  private var restsAfterLanding = false

  /// Commands go out again.
  mutating func wake() {
    isResting = false
    restsAfterLanding = false
  }

  mutating func restAfterLanding() { restsAfterLanding = true }

  /// It has landed.
  mutating func rest() {
    if restsAfterLanding { isResting = true }
  }

  var press: EmergencyPress?
  var order: Order?
  /// Since when nobody can steer it, or it cannot be seen.
  var brokerLostAt: Duration?
  var adoptedAt: Duration?

  var activity: DroneProperty.Activity?
  var hasToldBatteryLow = false
  var hasToldTelemetryLost = false
  var hasToldPositionLost = false
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
    navigator.mountingOffset = settings.mountingOffset
  }

  public var followedTopics: [FollowedTopic] {
    settings.ownTracksTopic.map { [FollowedTopic("owntracks", filter: $0)] } ?? []
  }

  enum Timing {
    static let beatInTheAir = Duration.milliseconds(100)
    static let beatOnTheGround = Duration.milliseconds(500)
    static let steering = Duration.milliseconds(250)
    /// Without telemetry for so long it hovers.
    static let telemetry = Duration.seconds(1)
    /// Without telemetry for so long on the ground it counts as away.
    static let silence = Duration.seconds(5)
    static let takeOff = Duration.seconds(10)
    static let press = Duration.seconds(2)
  }

  private enum Timer {
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
    case .broker(let isConnected):
      brokerLostAt = isConnected ? nil : brokerLostAt ?? now.uptime
      if !isConnected { stopAndHover(at: now.uptime, into: &outputs) }
    case .stopping: landForGood(into: &outputs)
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
    askForTelemetry(into: &outputs)
    beat(at: now, into: &outputs)
  }

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

  // MARK: the beat

  /// Tells the drone again what it is to do; it forgets soon.
  private mutating func beat(at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    watch(at: now, into: &outputs)
    guard isUp else { return }
    if !isResting { command(at: now, into: &outputs) }
    let pause = isInTheAir || isToFly || press != nil ? Timing.beatInTheAir : Timing.beatOnTheGround
    outputs.append(.setTimer(Timer.beat, after: pause))
  }

  mutating func command(at now: Duration, into outputs: inout [Output]) {
    var commands: [DroneCommand] = []
    if let heard, isFresh(at: now) {
      if heard.telemetry.state.contains(.communicationLost) { commands.append(.communicationWatchdog) }
    } else {
      commands.append(.shortTelemetry)
    }
    commands.append(.reference(isFlying: isToFly && press == nil, isEmergency: press != nil))
    if isInTheAir || isToFly { commands.append(steering(at: now, into: &outputs)) }
    send(commands, into: &outputs)
  }

  mutating func send(_ commands: [DroneCommand], into outputs: inout [Output]) {
    var bytes: [UInt8] = []
    for command in commands {
      sequence += 1
      bytes += command.line(sequence)
    }
    // What could not leave is worth nothing later: the next beat says it anew.
    outputs.append(.send(.init(bytes, policy: .latest("beat"))))
  }

  private mutating func steering(at now: Duration, into outputs: inout [Output]) -> DroneCommand {
    if steeredAt.map({ now - $0 >= Timing.steering }) ?? true {
      steeredAt = now
      steer(at: now, into: &outputs)
    }
    return switch course {
    case .hover: .hover
    case .go(let yaw, let forward): .progress(roll: 0, pitch: -Float(forward), gaz: 0, yaw: Float(yaw))
    }
  }

  private mutating func steer(at now: Duration, into outputs: inout [Output]) {
    let old = course
    let mayGo = brokerLostAt == nil && isFresh(at: now) && isToFly && heard?.demo.control == .flying
    course = mayGo ? navigator.course(at: now) : .hover(.noTarget)
    if course == .hover(.arrived), old != course { outputs.append(.event(DroneProperty.Event.arrived, [:])) }
    tellPositionLost(at: now, into: &outputs)
    reportActivity(into: &outputs)
  }

  private mutating func tellPositionLost(at now: Duration, into outputs: inout [Output]) {
    if case .hover(.noPosition(let why)) = course {
      if !hasToldPositionLost {
        outputs.append(.event(DroneProperty.Event.positionLost, ["reason": .text(why)]))
      }
      hasToldPositionLost = true
    } else if hasToldPositionLost, navigator.flaw(at: now) == nil {
      outputs.append(.event(DroneProperty.Event.positionFound, [:]))
      hasToldPositionLost = false
    }
  }

  var isInTheAir: Bool {
    switch heard?.demo.control {
    case .takingOff, .flying, .landing: true
    default: heard?.telemetry.state.contains(.flying) ?? false
    }
  }

  func isFresh(at now: Duration) -> Bool { heard.map { now - $0.at <= Timing.telemetry } ?? false }

  /// Everything that ends by itself when it has lasted too long.
  private mutating func watch(at now: Duration, into outputs: inout [Output]) {
    watchOrders(at: now, into: &outputs)
    let silentSince = heard?.at ?? linkUpAt
    let silence = now - silentSince
    if silence > Timing.telemetry {
      askForTelemetry(into: &outputs)
      if heard != nil, isToFly, !hasToldTelemetryLost {
        hasToldTelemetryLost = true
        outputs.append(.event(DroneProperty.Event.telemetryLost, [:]))
        course = .hover(.noTarget)
      }
    }
    if isToFly {
      for (since, reason) in [
        (brokerLostAt, "the broker is lost"), (adoptedAt, "nobody steers it since the bridge started"),
        (silence > Timing.telemetry ? silentSince : nil, "its telemetry is lost"),
      ] {
        if let since, now - since >= settings.patience { goDown(reason, into: &outputs) }
      }
    }
    // What may still be in the air is told to land for as long again before it is given up.
    if silence > (hasFlown ? settings.patience + settings.patience : Timing.silence) {
      outputs.append(.sessionFailed(.board, "no telemetry for \(silence.configurationText)"))
    }
  }

  private mutating func watchOrders(at now: Duration, into outputs: inout [Output]) {
    if let order, now >= order.until {
      self.order = nil
      if heard?.demo.control == .landed || heard == nil { isToFly = false }
      outputs.append(
        .reject(order.batch, order.property, Rejection(.timeout, "the drone did not take off within 10s")))
    }
    if let press, now >= press.order.until {
      self.press = nil
      outputs.append(
        .reject(
          press.order.batch, press.order.property,
          Rejection(.timeout, "the drone did not confirm it within 2s")))
    }
  }

  /// Lands though nobody asked for it.
  mutating func goDown(_ reason: String, into outputs: inout [Output]) {
    guard isToFly else { return }
    isToFly = false
    navigator.head(for: nil)
    outputs.append(.report(DroneProperty.target, .unknown))
    outputs.append(.event(DroneProperty.Event.landing, ["reason": .text(reason)]))
  }

  /// The next beat may be too late.
  private mutating func stopAndHover(at now: Duration, into outputs: inout [Output]) {
    guard isUp, isToFly else { return }
    course = .hover(.noTarget)
    send([.reference(isFlying: true), .hover], into: &outputs)
  }

  /// Several times, for a packet may be lost and nothing will repeat it.
  private mutating func landForGood(into outputs: inout [Output]) {
    guard isUp, isToFly || isInTheAir else { return }
    isToFly = false
    navigator.head(for: nil)
    for _ in 0..<5 {
      sequence += 1
      outputs.append(.send(.init(DroneCommand.reference(isFlying: false).line(sequence))))
    }
  }
}
