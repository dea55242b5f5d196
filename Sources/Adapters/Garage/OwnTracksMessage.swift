import DeviceModel
import JSON

/// What a phone with OwnTracks tells, as far as it matters here. The fields are those of the apps for Android and iOS,
/// <https://owntracks.org/booklet/tech/json/>.
enum OwnTracksMessage: Hashable, Sendable {
  case transition(Transition)
  case location(Location)
  /// One that was made or changed, or all that were exported.
  case waypoints([Waypoint])
  /// Of another type, which says nothing about where the person is: `lwt`, `cmd`, `status`, `card`, …
  case other(String)

  struct Transition: Hashable, Sendable {
    var isEntering: Bool
    var time: Timestamp
    /// An app may leave the name out; then there is an identifier.
    var region: OwnTracksRegionName?
    var identifier: String?
  }

  struct Location: Hashable, Sendable {
    /// Of the fix.
    var time: Timestamp
    var position: Position
    /// Of the position, in metres; nil when the app does not say.
    var accuracyMetres: Double?
    /// The regions in which the phone is; nil when it does not say.
    var regions: [OwnTracksRegionName]?
    var identifiers: [String]
  }

  struct Waypoint: Hashable, Sendable {
    var region: OwnTracksRegionName
    var identifier: String?
    /// Nil for one that is a beacon only.
    var circle: Circle?
  }

  struct Position: Hashable, Sendable {
    var latitude: Double
    var longitude: Double
  }

  struct Circle: Hashable, Sendable {
    var centre: Position
    var radiusMetres: Double
  }

  /// Longer payloads are refused unread. Bytes.
  static let longest = 64 * 1024
  /// More regions of one phone are passed over.
  static let mostRegions = 100
}

/// Why a message says nothing.
enum OwnTracksError: Error, Hashable, Sendable, CustomStringConvertible {
  case notJSON(String)
  case notAnObject
  /// With a key that only the phone and its friends have.
  case encrypted
  case missing(String)
  case wrong(String, expected: String)

  var description: String {
    switch self {
    case .notJSON(let why): why
    case .notAnObject: "not a JSON object"
    case .encrypted: "the payload is encrypted and cannot be read: clear the secret in the app's settings"
    case .missing(let field): "'\(field)' is missing"
    case .wrong(let field, let expected): "'\(field)' is not \(expected)"
    }
  }
}

extension OwnTracksMessage {
  init(_ payload: [UInt8]) throws(OwnTracksError) {
    let value: Value
    do throws(JSONError) {
      value = try JSON.parse(payload, limits: JSON.Limits(size: Self.longest))
    } catch {
      throw .notJSON("\(error)")
    }
    guard case .object(let members) = value else { throw .notAnObject }
    let reader = FieldReader(members: members)
    switch try reader.text("_type") {
    case "transition": self = .transition(try Transition(reader))
    case "location": self = .location(try Location(reader))
    case "waypoint": self = .waypoints([try Waypoint(reader)])
    case "waypoints": self = .waypoints(try Self.waypoints(reader))
    case "encrypted": throw .encrypted
    case let other: self = .other(other.excerpt)
    }
  }

  private static func waypoints(_ reader: FieldReader) throws(OwnTracksError) -> [Waypoint] {
    guard let value = reader.members["waypoints"] else { return [] }
    guard case .list(let elements) = value else { throw .wrong("waypoints", expected: "a list") }
    // One that cannot be read does not hide the others.
    return elements.prefix(mostRegions).compactMap { element in
      guard case .object(let members) = element else { return nil }
      return try? Waypoint(FieldReader(members: members))
    }
  }
}

extension OwnTracksMessage.Transition {
  fileprivate init(_ reader: FieldReader) throws(OwnTracksError) {
    switch try reader.text("event") {
    case "enter": isEntering = true
    case "leave": isEntering = false
    default: throw .wrong("event", expected: "enter or leave")
    }
    time = try reader.time("tst")
    region = try reader.optionalText("desc").map { OwnTracksRegionName($0) }
    identifier = try reader.optionalText("rid")
    if region == nil, identifier == nil { throw .missing("desc") }
  }
}

extension OwnTracksMessage.Location {
  fileprivate init(_ reader: FieldReader) throws(OwnTracksError) {
    time = try reader.time("tst")
    position = try reader.position()
    accuracyMetres = try reader.number("acc", 0...1e7)
    regions = try reader.texts("inregions")?.map { OwnTracksRegionName($0) }
    identifiers = try reader.texts("inrids") ?? []
  }
}

extension OwnTracksMessage.Waypoint {
  fileprivate init(_ reader: FieldReader) throws(OwnTracksError) {
    let name = OwnTracksRegionName(try reader.text("desc"))
    identifier = try reader.optionalText("rid")
    if let text = try reader.optionalText("uuid"), !text.isEmpty {
      guard let uuid = BluetoothUUID(text) else { throw .wrong("uuid", expected: "a UUID") }
      func short(_ name: String) throws(OwnTracksError) -> UInt16? {
        try reader.number(name, 0...65535).map { UInt16($0) }
      }
      region = OwnTracksRegionName(
        name: name.name, uuid: uuid, major: try short("major"), minor: try short("minor"))
    } else {
      region = name
    }
    guard let radius = try reader.number("rad", -1...1e7), radius > 0 else { return }
    circle = OwnTracksMessage.Circle(centre: try reader.position(), radiusMetres: radius)
  }
}

/// Fields of a message, by name. The apps have written numbers as text in their time.
private struct FieldReader {
  let members: Value.Members

  func text(_ name: String) throws(OwnTracksError) -> String {
    guard let text = try optionalText(name) else { throw .missing(name) }
    return text
  }

  func optionalText(_ name: String) throws(OwnTracksError) -> String? {
    switch members[name] {
    case nil, .unknown: return nil
    case .text(let text): return text
    default: throw .wrong(name, expected: "a text")
    }
  }

  func texts(_ name: String) throws(OwnTracksError) -> [String]? {
    switch members[name] {
    case nil, .unknown: return nil
    case .list(let elements):
      var texts: [String] = []
      for element in elements.prefix(OwnTracksMessage.mostRegions) {
        guard case .text(let text) = element else { throw .wrong(name, expected: "a list of texts") }
        texts.append(text)
      }
      return texts
    default: throw .wrong(name, expected: "a list of texts")
    }
  }

  func number(_ name: String, _ range: ClosedRange<Double>) throws(OwnTracksError) -> Double? {
    let number: Double?
    switch members[name] {
    case nil, .unknown: return nil
    case .integer(let integer): number = Double(integer)
    case .number(let double): number = double
    case .text(let text): number = Double(decimalText: text)
    default: number = nil
    }
    guard let number, range.contains(number) else {
      throw .wrong(
        name, expected: "a number from \(range.lowerBound.shortest) to \(range.upperBound.shortest)")
    }
    return number
  }

  /// Seconds since 1970.
  func time(_ name: String) throws(OwnTracksError) -> Timestamp {
    guard let seconds = try number(name, 0...1e10) else { throw .missing(name) }
    return Timestamp(milliseconds: Int64(seconds * 1000))
  }

  func position() throws(OwnTracksError) -> OwnTracksMessage.Position {
    guard let latitude = try number("lat", -90...90) else { throw .missing("lat") }
    guard let longitude = try number("lon", -180...180) else { throw .missing("lon") }
    return OwnTracksMessage.Position(latitude: latitude, longitude: longitude)
  }
}
