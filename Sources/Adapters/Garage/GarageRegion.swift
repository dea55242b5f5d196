import DeviceModel

/// The two regions that matter.
enum GarageRegion: String, Hashable, Sendable, CaseIterable {
  /// The geofence around the house.
  case home
  /// Where the garage's beacon is heard.
  case beacon
}

/// What the owner calls the two regions, and which beacon is the garage's.
struct GarageRegions: Hashable, Sendable {
  private let home: String
  private let beacon: String
  private let uuid: BluetoothUUID
  private let major: UInt16
  private let minor: UInt16

  init(home: String, beacon: String, uuid: BluetoothUUID, major: UInt16, minor: UInt16) {
    self.home = Self.plain(home)
    self.beacon = Self.plain(beacon)
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// Names of regions are compared without regard to case, and without the sign by which OwnTracks marks regions
  /// of a special kind.
  static func plain(_ name: String) -> String {
    let name = name.trimmingSpaces().lowercased()
    return name.hasPrefix("-") || name.hasPrefix("+") ? String(name.dropFirst()) : name
  }

  /// Nil for a region that is neither.
  func region(_ name: OwnTracksRegionName) -> GarageRegion? {
    guard let heard = name.uuid else {
      let plain = Self.plain(name.name)
      return plain == home ? .home : plain == beacon ? .beacon : nil
    }
    // A number that is 0 or left out stands for any.
    func means(_ number: UInt16?, _ own: UInt16) -> Bool { number == nil || number == 0 || number == own }
    return heard == uuid && means(name.major, major) && means(name.minor, minor) ? .beacon : nil
  }
}

/// A region as OwnTracks names it: `Home`, or for a beacon `Garage:<UUID>:<major>:<minor>`, the numbers optional, the
/// UUID in either case and with or without dashes.
struct OwnTracksRegionName: Hashable, Sendable {
  let name: String
  let uuid: BluetoothUUID?
  let major: UInt16?
  let minor: UInt16?

  init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let place = parts.indices.dropFirst().first {
      parts[$0].utf8.count >= 32 && BluetoothUUID(parts[$0]) != nil
    }
    guard let place else {
      self.init(name: text)
      return
    }
    func number(_ index: Int) -> UInt16? { parts.indices.contains(index) ? UInt16(parts[index]) : nil }
    self.init(
      name: parts[..<place].joined(separator: ":"), uuid: BluetoothUUID(parts[place]),
      major: number(place + 1),
      minor: number(place + 2))
  }

  init(name: String, uuid: BluetoothUUID? = nil, major: UInt16? = nil, minor: UInt16? = nil) {
    self.name = name
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }
}
