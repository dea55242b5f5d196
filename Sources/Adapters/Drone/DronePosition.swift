import DeviceModel
import JSON

/// Reads where the drone is from what others publish.
enum DronePosition {
  struct Flaw: Error, Hashable, Sendable, CustomStringConvertible {
    var description: String
  }

  /// `{"latitude":…,"longitude":…,"heading":…,"accuracy":…,"tst":…}`; the first two are needed.
  static func read(_ value: Value, at now: Moment) throws(Flaw) -> DroneNavigator.Position {
    let members = try object(value)
    return try position(
      members, latitude: "latitude", longitude: "longitude", heading: "heading", accuracy: "accuracy", at: now
    )
  }

  /// A message of OwnTracks; nil for one that is no location. The course over ground counts as heading.
  static func readOwnTracks(_ payload: [UInt8], at now: Moment) throws(Flaw) -> DroneNavigator.Position? {
    let value: Value
    do throws(JSONError) {
      value = try JSON.parse(payload)
    } catch {
      throw Flaw(description: "\(error)")
    }
    let members = try object(value)
    switch members["_type"]?.asText {
    case "location": break
    case "encrypted": throw Flaw(description: "the location is encrypted, and only its receiver can read it")
    default: return nil
    }
    return try position(members, latitude: "lat", longitude: "lon", heading: "cog", accuracy: "acc", at: now)
  }

  /// A place as a target.
  static func readPlace(_ value: Value) throws(Flaw) -> DroneNavigator.Place {
    try place(try object(value), latitude: "latitude", longitude: "longitude")
  }

  private static func object(_ value: Value) throws(Flaw) -> Value.Members {
    guard case .object(let members) = value else {
      throw Flaw(description: "an object with latitude and longitude is expected, not \(value.briefly)")
    }
    return members
  }

  private static func position(
    _ members: Value.Members, latitude: String, longitude: String, heading: String, accuracy: String,
    at now: Moment
  ) throws(Flaw) -> DroneNavigator.Position {
    let accuracy = try optional(members, accuracy, 0...100_000)
    let heading = try optional(members, heading, -360...360)
    let told = try optional(members, "tst", 0...1e11)
    // A clock that runs ahead makes nothing newer than now.
    let age = told.map { max(0, Double(now.wall.milliseconds) / 1000 - $0) } ?? 0
    return DroneNavigator.Position(
      place: try place(members, latitude: latitude, longitude: longitude), heading: heading,
      accuracy: accuracy, time: now.uptime - .milliseconds(Int64(min(age, 1e9) * 1000)))
  }

  private static func place(
    _ members: Value.Members, latitude: String, longitude: String
  ) throws(Flaw) -> DroneNavigator.Place {
    DroneNavigator.Place(
      latitude: try needed(members, latitude, -90...90), longitude: try needed(members, longitude, -180...180)
    )
  }

  private static func needed(
    _ members: Value.Members, _ name: String, _ range: ClosedRange<Double>
  ) throws(Flaw) -> Double {
    guard let number = try optional(members, name, range) else {
      throw Flaw(description: "'\(name)' is missing: a number is expected")
    }
    return number
  }

  private static func optional(
    _ members: Value.Members, _ name: String, _ range: ClosedRange<Double>
  ) throws(Flaw) -> Double? {
    guard let value = members[name], value != .unknown else { return nil }
    guard let number = value.asNumber, range.contains(number) else {
      throw Flaw(
        description:
          "'\(name)' is \(value.briefly.excerpt); expected a number from \(range.lowerBound.shortest)"
          + " to \(range.upperBound.shortest)")
    }
    return number
  }
}
