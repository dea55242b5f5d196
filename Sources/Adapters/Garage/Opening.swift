import DeviceModel

/// An opening of the door under way, from the wish to the link's word that it was sent.
struct Opening: Hashable, Sendable {
  enum Origin: Hashable, Sendable {
    case command(batch: UInt64)
    case arrival(Arrival)
  }

  /// Somebody came home, at this time.
  struct Arrival: Hashable, Sendable {
    var person: Int
    var time: Timestamp
    var source: Resident.Source
    /// The person has left again since.
    var hasLeft = false
  }

  enum Phase: Hashable, Sendable {
    case connecting
    /// A newer board has not told its challenge yet.
    case greeting
    /// What is known of the door is being kept; the pulse leaves when it is on the disk.
    case remembering
    case sending(UInt64)
    /// The link says that it did not leave; whether the link itself ended shows in a moment.
    case unsent(String)
  }

  var origin: Origin
  /// Whose PIN is used.
  let person: Int
  var phase = Phase.connecting
  /// Others who arrived meanwhile, in the same car say.
  var companions: [Arrival] = []
  /// A newer board is asked to close it instead.
  var isClosing = false
  /// The board refused an answer to the challenge before this one.
  var isSecondAnswer = false
  /// When it has failed at the latest.
  var deadline = Duration.zero
  /// What was known of the door before the pulse was sent.
  var cycleBefore: DoorCycle?

  init(_ origin: Origin, person: Int) {
    self.origin = origin
    self.person = person
  }

  /// Who leaves while the door is being opened is out when it opens.
  mutating func markLeft(_ person: Int, _ evidence: Evidence) {
    if case .arrival(var arrival) = origin, arrival.person == person, evidence.isLater(than: arrival.time) {
      arrival.hasLeft = true
      origin = .arrival(arrival)
    }
    for index in companions.indices
    where companions[index].person == person && evidence.isLater(than: companions[index].time) {
      companions[index].hasLeft = true
    }
  }

  var arrivals: [Arrival] {
    if case .arrival(let arrival) = origin { [arrival] + companions } else { companions }
  }
}

/// Why the door was not opened; a `refused` event carries it.
struct OpeningRefusal: Hashable, Sendable {
  enum Reason: String, Hashable, Sendable {
    case presumedOpen = "presumed_open"
    case busy, away, stale, future, encrypted
    case linkError = "link_error"
    case stopping
    case disk = "disk_error"
  }

  var reason: Reason
  var explanation: String

  var rejection: Rejection {
    let reason: Rejection.Reason =
      switch self.reason {
      case .busy: .busy
      case .away: .away
      case .linkError, .disk: .linkError
      case .presumedOpen, .stale, .future, .encrypted, .stopping: .notNow
      }
    return Rejection(reason, explanation)
  }
}
