public import DeviceModel

/// A garage door whose board opens it for whoever sends a PIN, and by itself when somebody comes home.
///
/// The relay is a toggle: the door is opened only while it is presumed closed. Nothing waits to be done later: an
/// opening whose link does not come up within ten seconds has failed.
public struct GarageDoor: Adapter {
  public let description: DeviceDescription
  let settings: GarageSettings

  var residents: [Resident]
  var cycle: DoorCycle
  var opening: Opening?
  /// The last one, given up while the link still owed its word: should that come after all, whoever was turned away is
  /// in, and does not open the door once more.
  var unacknowledged: Opening?
  var management = PINManagement()
  /// Of a board that speaks in lines; nil for a classic one.
  var newer: NewerGarage?
  var isUp = false
  /// The bridge is about to stop, or lets the door go: nothing is opened any more.
  private(set) var isLeaving = false
  var sends: UInt64 = 0

  var lastOpenedBy: String?
  var lastOpened: Timestamp?
  private let keyMark: String?
  /// What was given to be remembered last.
  private var kept = GarageMemory()

  init(_ settings: GarageSettings) {
    self.settings = settings
    description = GarageProperty.description(of: settings)
    keyMark = NamedPIN.keyMark(of: settings)
    residents = settings.persons.map { Resident($0, carSilence: settings.carSilence) }
    newer = settings.key.map { _ in NewerGarage() }
    cycle = DoorCycle(closingInterval: settings.closingInterval, travelTime: settings.travelTime)
  }

  public var followedTopics: [FollowedTopic] {
    residents.flatMap { resident -> [FollowedTopic] in
      guard let phone = resident.settings.phone else { return [] }
      return ["", "/event", "/waypoint", "/waypoints"].map {
        FollowedTopic(resident.settings.slug, filter: phone + $0)
      }
    }
  }

  public var advertisementInterest: AdvertisementInterest {
    .matching(Set(residents.compactMap(\.settings.car?.beacon.advertised)))
  }

  enum Timing {
    /// For an opening to reach the board.
    static let opening = Duration.seconds(10)
    /// For a new challenge, when the answer to the last one came too late for it.
    static let renewal = Duration.seconds(3)
    /// A pulse that the link cannot send within this time is not sent.
    static let expiry = Duration.seconds(5)
    /// In which a link that lost a send ends, if that was why.
    static let verdict = Duration.milliseconds(100)
    /// The link stays for what was sent to leave the radio, and for more to do.
    static let linger = Duration.seconds(1)
    /// The same for a newer board that has not told all its values yet.
    static let introduction = Duration.seconds(6)
  }

  enum Timer {
    static let door = "door"
    static let opening = "opening"
    static let pulse = "pulse"
    static let verdict = "verdict"
    static let linger = "linger"
    static let management = "management"
    static let car = "car"
  }

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    if case .advertisement(let advertisement) = input {
      // There may be hundreds a second, mostly of others.
      guard hear(advertisement, at: now, into: &outputs) else { return }
      return remember(into: &outputs)
    }
    for index in residents.indices { residents[index].homecoming.bound(at: now.wall) }
    cycle.watch(at: now.uptime)
    switch input {
    case .remembered(let value):
      recall(value, at: now)
      reportAll(at: now, into: &outputs)
    case .linkUp(.board, let maximumPacket): linkUp(maximumPacket, at: now, into: &outputs)
    case .linkDown(.board, let reason): linkDown(reason, at: now, into: &outputs)
    case .received(.board, let bytes): hear(bytes, at: now, into: &outputs)
    case .sent(let number): sent(number, at: now, into: &outputs)
    case .notSent(let number, let reason, let mayHaveArrived):
      notSent(number, reason, mayHaveArrived: mayHaveArrived, at: now, into: &outputs)
    case .commands(let batch): accept(batch, at: now, into: &outputs)
    case .message(let message): take(message, at: now, into: &outputs)
    case .listening(let isListening, _): listen(isListening, at: now, into: &outputs)
    case .deafened(let isDeaf): deafen(isDeaf, at: now, into: &outputs)
    case .request(let request): answer(request, at: now, into: &outputs)
    case .stopping:
      isLeaving = true
      abandonOpening(at: now, into: &outputs)
      newer?.session.stop(at: now.uptime, into: &outputs)
    case .refresh:
      newer?.session.refresh(at: now.uptime, into: &outputs)
      reportAll(at: now, into: &outputs)
    case .random(let bytes): newer?.session.takeRandom(bytes, at: now.uptime, into: &outputs)
    case .timerFired(let name): timerFired(name, at: now, into: &outputs)
    case .transmit(let number, _):
      outputs.append(.reject(number, nil, Rejection(.unsupported, "a garage door takes no raw bytes")))
    default: break
    }
    remember(into: &outputs)
  }

  // MARK: the link

  private mutating func linkUp(_ maximumPacket: Int?, at now: Moment, into outputs: inout [Output]) {
    isUp = true
    newer?.linkUp(maximumPacket, into: &outputs)
    if opening?.phase == .connecting { sendPulse(at: now, into: &outputs) }
    lingerIfIdle(into: &outputs)
  }

  private mutating func linkDown(_ reason: String, at now: Moment, into outputs: inout [Output]) {
    isUp = false
    var said: [Output] = []
    newer?.linkDown(reason, into: &said)
    // What becomes of an authorised word is told with the opening or the request that it was for.
    _ = takeAnswer(of: &said)
    outputs += said
    outputs.append(.cancelTimer(Timer.linger))
    endOpening(linkEnded: reason, at: now, into: &outputs)
    unacknowledged = nil
    management.linkDown(reason, into: &outputs)
    outputs.append(.cancelTimer(Timer.management))
  }

  /// A session that is not held is left when there has been nothing to do for a moment.
  func lingerIfIdle(into outputs: inout [Output]) {
    guard isUp, opening == nil, management.isIdle else { return outputs.append(.cancelTimer(Timer.linger)) }
    let isIntroduced = newer?.isComplete ?? true
    outputs.append(.setTimer(Timer.linger, after: isIntroduced ? Timing.linger : Timing.introduction))
  }

  private mutating func timerFired(_ name: String, at now: Moment, into outputs: inout [Output]) {
    switch name {
    case Timer.door: reportDoor(at: now, into: &outputs)
    case Timer.opening: openingOverdue(at: now, into: &outputs)
    case Timer.pulse: pulse(at: now, into: &outputs)
    case Timer.verdict: openingUnsent(at: now, into: &outputs)
    case Timer.car: carsOverdue(at: now, into: &outputs)
    case Timer.management: managementOverdue(at: now, into: &outputs)
    case Timer.linger:
      guard isUp, opening == nil, management.isIdle else { return }
      // No goodbye: a session that is held goes on.
      outputs.append(.sessionFinished(.board))
    default: newerTimerFired(name, at: now, into: &outputs)
    }
  }

  // MARK: memory

  private mutating func recall(_ value: Value, at now: Moment) {
    guard let memory = GarageMemory(value) else { return }
    for index in residents.indices {
      guard let person = memory.persons[residents[index].settings.slug] else { continue }
      residents[index].homecoming = person.homecoming
      residents[index].homecoming.bound(at: now.wall)
      residents[index].whereabouts = person.whereabouts
    }
    lastOpenedBy = memory.lastOpenedBy
    lastOpened = memory.lastOpened
    management.recall(memory, keyMark: keyMark)
    if let pulse = memory.pulse {
      cycle.recall(pulsedWhen: pulse.time, isDoubtful: pulse.isDoubtful, at: now)
    }
  }

  mutating func remember(into outputs: inout [Output]) {
    let memory = memory
    guard memory != kept else { return }
    kept = memory
    outputs.append(.remember(memory.value))
  }

  private var memory: GarageMemory {
    var memory = GarageMemory()
    for resident in residents {
      memory.persons[resident.settings.slug] = GarageMemory.Person(
        homecoming: resident.homecoming, whereabouts: resident.whereabouts.lasting)
    }
    memory.pulse = cycle.pulsedWhen.map { GarageMemory.Pulse(time: $0, isDoubtful: cycle.isDoubtful) }
    memory.lastOpenedBy = lastOpenedBy
    memory.lastOpened = lastOpened
    memory.wrongInARow = management.lockOut.wrongInARow
    memory.lockedUntil = management.lockOut.until
    memory.names = management.names
    memory.keyMark = memory.names.isEmpty ? nil : keyMark
    return memory
  }
}
