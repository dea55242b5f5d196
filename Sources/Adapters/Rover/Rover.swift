public import DeviceModel

/// A rover with two motors on a BLE UART, as the classic boards speak.
///
/// The board tells nothing of how it drives: what is reported is what it was told. It never gets a command twice to keep
/// it going, because the classic board, standing in front of an obstacle, starts its motors at whatever it hears.
/// Whoever drives it and falls silent, or goes, stops it.
public struct Rover: Adapter {
  public let description: DeviceDescription

  let settings: RoverSettings

  private var decoder = RoverDecoder()
  private var pieces: [RoverDecoder.Piece] = []
  private(set) var isUp = false
  private var heardAt = Duration.zero
  private var hasSpoken = false
  /// What newer boards tell one value after the other.
  var lineTilt = RoverDecoder.Tilt(across: 0, along: 0)
  private var isFinished = false

  // What the driver wants.
  var throttle = 0
  var drive = RoverDrive()
  var way: RoverWay?
  var stream = RoverStream()

  // On its way to the board.
  var group: Group?
  var stopSend: UInt64?
  var sends: UInt64 = 0
  var pace: Pace
  /// There is more to be told than what is on its way.
  var isBehind = false
  /// Who wants that, of each property the newest.
  var waiting: [Order] = []

  // Kept over restarts.
  var profile = SpeedProfile.normal
  var stopsOnTipping = false
  var neutral: PhoneAttitude

  // What the accelerometer says.
  var tilt = PacedReadings(change: 0.05, interval: Timing.report)
  var tipping = Hysteresis(above: 1.5, until: 1.3)

  /// Commands that were sent together.
  struct Group: Hashable, Sendable {
    var sends: ClosedRange<UInt64>
    /// To be told if they do not arrive.
    var orders: [Order]
  }

  /// Somebody's command.
  struct Order: Hashable, Sendable {
    var batch: UInt64
    /// Nil for a command of several properties.
    var property: PropertyKey?
  }

  init(_ settings: RoverSettings = RoverSettings()) {
    self.settings = settings
    description = RoverProperty.description(settings)
    neutral = settings.neutral
    pace = Pace(settings.interval)
  }

  enum Timing {
    /// For a first message.
    static let greeting = Duration.seconds(10)
    /// A board that has been heard is dead after this.
    static let silence = Duration.seconds(30)
    /// Between two reports of the tilt.
    static let report = Duration.milliseconds(500)
    /// After a stop that the link did not take.
    static let stopAgain = Duration.milliseconds(100)
  }

  enum Timer {
    static let deadMan = "dead_man"
    static let pace = "pace"
    static let silence = "silence"
    static let stopAgain = "stop_again"
    static let tilt = "tilt"

    static let all = [deadMan, pace, silence, stopAgain, tilt]
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    let uptime = now.uptime
    switch input {
    case .received(.board, let bytes): receive(bytes, at: uptime, into: &outputs)
    case .commands(let batch): accept(batch, at: uptime, into: &outputs)
    case .sent(let number): sent(number, at: uptime, into: &outputs)
    case .notSent(let number, let reason, let mayHaveArrived):
      notSent(number, .unsent(reason, mayHaveArrived: mayHaveArrived), into: &outputs)
    case .timerFired(let name): timerFired(name, at: uptime, into: &outputs)
    case .linkUp(.board, _): linkUp(at: uptime, into: &outputs)
    case .linkDown(.board, let reason): linkDown(reason, into: &outputs)
    case .broker(isConnected: false): stop(because: .brokerLost, into: &outputs)
    case .stopping: stop(because: .bridgeStops, into: &outputs)
    case .remembered(let value): restore(value, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a rover takes no raw bytes")))
    default: break
    }
  }

  // MARK: the link

  /// The classic board drives on when its link drops: it is stopped before anything else.
  private mutating func linkUp(at now: Duration, into outputs: inout [Output]) {
    linkDown("a new link is up", into: &outputs)
    isUp = true
    heardAt = now
    halt(into: &outputs)
    outputs.append(.setTimer(Timer.silence, after: Timing.greeting))
    reportSettings(into: &outputs)
  }

  private mutating func linkDown(_ reason: String, into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    hasSpoken = false
    isFinished = false
    decoder.reset()
    throttle = 0
    drive.stop(isCertain: false)
    drive.lose()
    way = nil
    stream.forget()
    rejectAll(Rejection(.linkError, "the link to the board ended: \(reason)"), into: &outputs)
    group = nil
    stopSend = nil
    isBehind = false
    pace = Pace(settings.interval)
    tilt.reset()
    for timer in Timer.all { outputs.append(.cancelTimer(timer)) }
    // What it does now, nobody knows.
    for property in [RoverProperty.throttle, RoverProperty.steering] + RoverProperty.measured {
      outputs.append(.report(property, .unknown))
    }
    tipping = Self.fresh
    outputs.append(.report(RoverProperty.tipping, .unknown))
  }

  private static var fresh: Hysteresis { Hysteresis(above: 1.5, until: 1.3) }

  // MARK: the board

  private mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp else { return }
    pieces.removeAll(keepingCapacity: true)
    decoder.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .garbage(let count): outputs.append(.undecodable(bytes: count, "no message of a rover"))
      case .tilt(let tilt):
        heard(at: now)
        outputs.append(.alive)
        take(tilt, at: now, into: &outputs)
      }
    }
    finishIfDone(into: &outputs)
  }

  /// The board has said something, whatever it was.
  mutating func heard(at now: Duration) {
    heardAt = now
    hasSpoken = true
  }

  /// A session that is not held ends when the board has spoken and the rover stands.
  func isDone() -> Bool { hasSpoken && !drive.isMoving && group == nil && stopSend == nil && !isBehind }

  mutating func finishIfDone(into outputs: inout [Output]) {
    guard isUp, !isFinished, isDone() else { return }
    isFinished = true
    outputs.append(.sessionFinished(.board))
  }

  mutating func goesOn() { isFinished = false }

  // MARK: time

  private mutating func timerFired(_ name: String, at now: Duration, into outputs: inout [Output]) {
    switch name {
    case Timer.deadMan: stop(because: way == .attitude ? .attitudeCeased : .noCommand, into: &outputs)
    case Timer.pace: if isUp, isBehind, group == nil { move(at: now, into: &outputs) }
    case Timer.stopAgain: if isUp, stopSend == nil, throttle == 0 { halt(into: &outputs) }
    case Timer.tilt: if isUp, tilt.due(at: now) { reportTilt(into: &outputs) }
    case Timer.silence:
      guard isUp else { return }
      let patience = hasSpoken ? Timing.silence : Timing.greeting
      guard now - heardAt >= patience else {
        return outputs.append(.setTimer(Timer.silence, after: patience - (now - heardAt)))
      }
      stop(because: .boardSilent, into: &outputs)
      outputs.append(.sessionFailed(.board, "the board has said nothing for \(patience.configurationText)"))
    default: break
    }
  }
}
