public import DeviceModel

/// A tag on keys, a bag or a cat: where it is by what it advertises. Nothing connects to it.
///
/// Hundreds of advertisements a second are heard in a house: those of others cost little, and those of its own
/// become one report a second at most.
public struct Beacon: Adapter {
  public var description: DeviceDescription { BeaconProperty.description(hasBattery: hasBattery) }
  public var advertisementInterest: AdvertisementInterest { .matching([settings.pattern.advertised]) }

  private let settings: BeaconSettings
  private var presence: HeldPresence
  private var signals = BeaconSignals()
  private var proximity: Bands
  private var hasBattery = false
  private var lastHeard: Timestamp?
  /// What happened, until that it did is on the disk.
  private var untold: [Event] = []

  private struct Event: Hashable, Sendable {
    var name: String
    var facts: Value.Members
  }

  private var pace = Pace(Reporting.interval)
  private var reported = Report()
  private var isReportDue = false
  private var isSilenceAwaited = false

  /// What is published together.
  private struct Report: Hashable, Sendable {
    var presence = HeldPresence.State.unknown
    var proximity: Int?
    var metres: Double?
    var dBm: Int?
    var battery: Int?
  }

  enum Reporting {
    static let interval = Duration.seconds(1)
    /// Of the distance that was reported last.
    static let distanceShare = 0.2
    /// Metres.
    static let distance = 0.1
    /// dB.
    static let strength = 3
    /// A beacon that is there is held by readings that much weaker than the least that brings it home.
    static let hold = 6
    /// By which a bound of the proximity has to be passed.
    static let margin = 0.3
    /// Of a strength, while the beacon is heard without another: scans for it come every ten seconds.
    static let validity = Duration.seconds(30)
    static let mostUntold = 8
    /// Beyond it the law means nothing.
    static let farthest = 200.0
  }

  enum Timer {
    static let silence = "silence"
    static let report = "report"
    static let kept = "kept"
  }

  init(_ settings: BeaconSettings) {
    self.settings = settings
    presence = HeldPresence(silence: settings.silence)
    proximity = Bands([settings.immediate, settings.near], margin: Reporting.margin)
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .advertisement(let advertisement): hear(advertisement, at: now, into: &outputs)
    case .remembered(let value): recall(value, at: now.uptime, into: &outputs)
    case .listening(true, _):
      presence.listen(at: now.uptime)
      awaitSilence(at: now.uptime, into: &outputs)
    case .listening(false, _):
      presence.stopListening()
      forgetSignals(at: now.uptime, into: &outputs)
    case .deafened(let isDeaf):
      presence.deafen(isDeaf, at: now.uptime)
      awaitSilence(at: now.uptime, into: &outputs)
    case .timerFired(Timer.silence):
      isSilenceAwaited = false
      expire(at: now.uptime, into: &outputs)
    case .timerFired(Timer.kept):
      outputs += untold.map { .event($0.name, $0.facts) }
      untold = []
    case .timerFired(Timer.report):
      isReportDue = false
      report(at: now.uptime, into: &outputs)
    case .commands(let batch): refuse(batch, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a beacon takes nothing")))
    default: break
    }
  }

  // MARK: the air

  private mutating func hear(
    _ advertisement: Advertisement, at now: Moment, into outputs: inout [Output]
  ) {
    guard let frame = settings.pattern.frame(in: advertisement) else {
      if !advertisement.serviceData.isEmpty, signals.isKnown(advertisement.address) {
        takeBattery(of: advertisement, at: now.uptime, into: &outputs)
      }
      return
    }
    guard isStrongEnough(frame, advertisement.rssiDBm) else {
      if advertisement.rssiDBm != nil { signals.hearWeakly(frame.identity) }
      return
    }
    lastHeard = now.wall
    outputs.append(.alive)
    signals.hear(frame, in: advertisement, at: now.uptime)
    if let change = presence.heard(at: now.uptime) {
      awaitSilence(at: now.uptime, into: &outputs)
      changed(change, into: &outputs)
    }
    takeBattery(of: advertisement, at: now.uptime, into: &outputs)
    report(at: now.uptime, into: &outputs)
  }

  /// One that is heard without its strength is held by the last, and not brought home.
  private func isStrongEnough(_ frame: BeaconFrame, _ rssi: Int?) -> Bool {
    guard let minimum = settings.minimumRSSI else { return true }
    let isPresent = presence.state == .present
    guard let rssi else { return isPresent && signals.isStrong(frame.identity) }
    return rssi >= minimum - (isPresent ? Reporting.hold : 0)
  }

  private mutating func takeBattery(
    of advertisement: Advertisement, at now: Duration, into outputs: inout [Output]
  ) {
    guard let percent = BeaconBattery.percent(in: advertisement) else { return }
    signals.tellBattery(percent, of: advertisement.address)
    if !hasBattery {
      hasBattery = true
      outputs.append(.describe(description))
      remember(into: &outputs)
    }
    report(at: now, into: &outputs)
  }

  // MARK: presence

  /// One timer for all that is heard: it is looked at again when it runs out.
  private mutating func awaitSilence(at now: Duration, into outputs: inout [Output]) {
    guard !isSilenceAwaited, let deadline = presence.deadline else { return }
    isSilenceAwaited = true
    outputs.append(.setTimer(Timer.silence, after: max(.zero, deadline - now)))
  }

  private mutating func expire(at now: Duration, into outputs: inout [Output]) {
    if let change = presence.expire(at: now) {
      changed(change, into: &outputs)
      forgetSignals(at: now, into: &outputs)
    }
    awaitSilence(at: now, into: &outputs)
  }

  /// What happened is told when it is on the disk: told twice after a crash is worse than not told.
  private mutating func changed(_ change: HeldPresence.Change, into outputs: inout [Output]) {
    remember(into: &outputs)
    guard let event = event(of: change) else { return }
    // A disk that does not answer keeps the newest.
    if untold.count == Reporting.mostUntold { untold.removeFirst() }
    untold.append(event)
    outputs.append(.setTimerWhenKept(Timer.kept))
  }

  private func event(of change: HeldPresence.Change) -> Event? {
    switch change {
    case .found, .missed: return nil
    case .returned:
      var facts = Value.Members()
      facts["rssi"] = signals.nearest.map { .integer(Int($0.strength.dBm.rounded())) }
      return Event(name: BeaconProperty.returned, facts: facts)
    case .left:
      var facts = Value.Members([("last_heard", lastHeard.map { .text($0.iso8601) } ?? .unknown)])
      facts["rssi"] = reported.dBm.map { .integer($0) }
      facts["distance"] = reported.metres.map { .number($0) }
      return Event(name: BeaconProperty.leftBehind, facts: facts)
    }
  }

  private mutating func forgetSignals(at now: Duration, into outputs: inout [Output]) {
    signals.forgetAll()
    proximity.reset()
    report(at: now, into: &outputs)
  }

  // MARK: memory

  private func remember(into outputs: inout [Output]) {
    var members = Value.Members([("battery", .boolean(hasBattery))])
    switch presence.state {
    case .unknown: break
    case .present: members["presence"] = BeaconProperty.home
    case .absent: members["presence"] = BeaconProperty.notHome
    }
    outputs.append(.remember(.object(members)))
  }

  private mutating func recall(_ value: Value, at now: Duration, into outputs: inout [Output]) {
    guard case .object(let members) = value else { return }
    switch members["presence"] {
    case BeaconProperty.home: presence = HeldPresence(.present, silence: settings.silence)
    case BeaconProperty.notHome: presence = HeldPresence(.absent, silence: settings.silence)
    default: break
    }
    if members["battery"] == true {
      hasBattery = true
      outputs.append(.describe(description))
    }
    report(at: now, into: &outputs)
  }

  // MARK: reports

  private mutating func report(at now: Duration, into outputs: inout [Output]) {
    signals.forget(
      heardBefore: now - settings.silence, measuredBefore: now - max(settings.silence, Reporting.validity))
    let new = newReport()
    guard isNews(new) else { return }
    // Coming home is told at once: it cannot happen more often than the silence allows.
    guard pace.permits(at: now, despite: new.presence != reported.presence) else {
      guard !isReportDue else { return }
      isReportDue = true
      return outputs.append(.setTimer(Timer.report, after: pace.rest(at: now)))
    }
    reported = new
    switch new.presence {
    case .unknown: outputs.append(.report(BeaconProperty.presence, .unknown))
    case .present: outputs.append(.report(BeaconProperty.presence, BeaconProperty.home))
    case .absent: outputs.append(.report(BeaconProperty.presence, BeaconProperty.notHome))
    }
    let word = new.proximity.map { Value.text(BeaconProperty.proximities[$0]) }
    outputs.append(.report(BeaconProperty.proximity, word ?? BeaconProperty.unknown))
    outputs.append(.report(BeaconProperty.distance, new.metres.map { .number($0) } ?? .unknown))
    outputs.append(.report(BeaconProperty.rssi, new.dBm.map { .integer($0) } ?? .unknown))
    if let battery = new.battery { outputs.append(.report(BeaconProperty.battery, .integer(battery))) }
  }

  /// The battery's value is kept while the beacon is away.
  private mutating func newReport() -> Report {
    var report = Report(presence: presence.state, battery: reported.battery)
    guard let signal = signals.nearest else {
      proximity.reset()
      return report
    }
    report.dBm = Int(signal.strength.dBm.rounded())
    report.battery = signal.battery ?? report.battery
    guard let power = settings.measuredPower ?? signal.powerDBm else {
      proximity.reset()
      return report
    }
    let metres = min(
      signal.strength.metres(powerDBm: power, exponent: settings.exponent), Reporting.farthest)
    report.metres = Self.rounded(metres)
    report.proximity = proximity.place(metres)
    return report
  }

  private func isNews(_ new: Report) -> Bool {
    if new.presence != reported.presence || new.proximity != reported.proximity { return true }
    if new.battery != reported.battery { return true }
    switch (new.dBm, reported.dBm) {
    case (let new?, let old?) where abs(new - old) >= Reporting.strength: return true
    case (nil, _?), (_?, nil): return true
    default: break
    }
    guard let metres = new.metres, let old = reported.metres else { return new.metres != reported.metres }
    return abs(metres - old) >= max(Reporting.distance, Reporting.distanceShare * old)
  }

  /// As fine as it means anything.
  private static func rounded(_ metres: Double) -> Double {
    metres < 10 ? (metres * 10).rounded() / 10 : metres.rounded()
  }

  private func refuse(_ batch: CommandBatch, into outputs: inout [Output]) {
    guard let command = batch.commands.first else { return }
    let rejection =
      description[command.property] == nil
      ? Rejection(.unknownProperty, "a beacon has no property \(command.property)")
      : Rejection(.readOnly, "\(command.property) is only read")
    outputs.append(.reject(batch.number, command.property, rejection))
  }
}
