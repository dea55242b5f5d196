import DeviceModel
import Glibc

/// What is known of where one person is, and of the regions on the person's phone.
struct Whereabouts: Hashable, Sendable {
  /// Nil until it is told.
  private(set) var isIn: [GarageRegion: Bool] = [:]
  private var changedAt: [GarageRegion: Timestamp] = [:]
  /// The phone knows the home's region: one that does not is never in it.
  private(set) var phoneKnowsHome = false
  private(set) var home: OwnTracksMessage.Circle?
  /// OwnTracks' identifiers of the two regions, for messages that leave the names out; the newest at the end. A region
  /// that is made anew on the phone has another one.
  private var identifiers: [Known] = []

  private struct Known: Hashable, Sendable {
    var identifier: String
    var region: GarageRegion
  }

  static let mostIdentifiers = 8
  private static let longestIdentifier = 64

  init() {}

  /// True when the person is elsewhere now than was known, by nothing older than what was known.
  mutating func cross(into region: GarageRegion, _ isEntering: Bool, at time: Timestamp) -> Bool {
    if let last = changedAt[region], time < last { return false }
    changedAt[region] = time
    guard isIn[region] != isEntering else { return false }
    isIn[region] = isEntering
    return true
  }

  func region(of identifier: String) -> GarageRegion? {
    identifiers.first { $0.identifier == identifier }?.region
  }

  /// Learns the identifier. True when the one that was met longest ago had to be forgotten for it.
  mutating func meet(_ identifier: String?, as region: GarageRegion) -> Bool {
    if region == .home { phoneKnowsHome = true }
    guard let identifier, !identifier.isEmpty, identifier.utf8.count <= Self.longestIdentifier else {
      return false
    }
    let known = Known(identifier: identifier, region: region)
    let isFull = identifiers.count >= Self.mostIdentifiers
    if let place = identifiers.firstIndex(where: { $0.identifier == identifier }) {
      // Only who is next to be forgotten changes places: what is kept does not change at each message.
      guard identifiers[place].region != region || (isFull && place == 0) else { return false }
      identifiers.remove(at: place)
      identifiers.append(known)
      return false
    }
    if isFull { identifiers.removeFirst() }
    identifiers.append(known)
    return isFull
  }

  mutating func learn(home circle: OwnTracksMessage.Circle) {
    phoneKnowsHome = true
    home = circle
  }

  /// In which of the two regions a phone says that it is; nil when it does not say.
  func regions(
    of location: OwnTracksMessage.Location, _ names: GarageRegions
  ) -> Set<GarageRegion>? {
    guard let told = location.regions else {
      let met = location.identifiers.compactMap { region(of: $0) }
      return met.isEmpty ? nil : Set(met)
    }
    return Set(told.compactMap { names.region($0) } + location.identifiers.compactMap { region(of: $0) })
  }

  /// Whether a position is for sure outside the home's region: it is accurate, the phone does not count itself in
  /// either region though it knows the home, and where the circle is known it is outside of that as well.
  func isOutsideHome(
    _ location: OwnTracksMessage.Location, in regions: Set<GarageRegion>?, accuracyMetres limit: Double
  ) -> Bool {
    guard let accuracy = location.accuracyMetres, accuracy <= limit else { return false }
    if let regions, !regions.isEmpty { return false }
    guard let home else { return regions != nil && phoneKnowsHome }
    return home.centre.distanceMetres(to: location.position) - accuracy > home.radiusMetres
  }
}

extension OwnTracksMessage.Position {
  /// Along the great circle of a sphere; a few metres in a kilometre are right enough.
  func distanceMetres(to other: Self) -> Double {
    let radius = 6_371_000.0
    let degree = Double.pi / 180
    let north = (other.latitude - latitude) * degree
    let east = (other.longitude - longitude) * degree
    let chord =
      sin(north / 2) * sin(north / 2)
      + cos(latitude * degree) * cos(other.latitude * degree) * sin(east / 2) * sin(east / 2)
    return 2 * radius * asin(min(1, chord.squareRoot()))
  }
}

extension Whereabouts {
  /// Without where the person is.
  var lasting: Whereabouts {
    var lasting = self
    lasting.isIn = [:]
    lasting.changedAt = [:]
    return lasting
  }

  /// What is worth keeping across restarts: the phone tells it rarely. Where the person is, is not: it may be old.
  var remembered: Value {
    var members = Value.Members()
    members["knows_home"] = .boolean(phoneKnowsHome)
    if let home {
      members["home"] = [
        "lat": .number(home.centre.latitude), "lon": .number(home.centre.longitude),
        "rad": .number(home.radiusMetres),
      ]
    }
    members["regions"] = .object(
      Value.Members(identifiers.map { ($0.identifier, .text($0.region.rawValue)) }))
    return .object(members)
  }

  init(remembered value: Value?) {
    guard case .object(let members)? = value else { return }
    phoneKnowsHome = members["knows_home"] == true
    if case .object(let circle)? = members["home"], let latitude = circle["lat"]?.real,
      let longitude = circle["lon"]?.real, let radius = circle["rad"]?.real, radius > 0
    {
      home = OwnTracksMessage.Circle(
        centre: OwnTracksMessage.Position(latitude: latitude, longitude: longitude), radiusMetres: radius)
    }
    guard case .object(let regions)? = members["regions"] else { return }
    for (identifier, value) in regions.pairs {
      if case .text(let word) = value, let region = GarageRegion(rawValue: word) {
        _ = meet(identifier, as: region)
      }
    }
  }
}

extension Value {
  /// Of a number, whole or not.
  var real: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
