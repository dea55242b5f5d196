import DeviceModel

/// A garage door as its owner configured it, checked.
struct GarageSettings: Sendable {
  struct Person: Sendable {
    var name: String
    /// The name as it stands in keys and topics.
    var slug: String
    var pin: GaragePIN
    /// The phone's topic: `owntracks/<user>/<device>`.
    var phone: String?
    var car: Car?
  }

  /// A beacon that a person carries in the car.
  struct Car: Sendable {
    var beacon: BeaconPattern
    var minimumRSSIdBm: Int?
  }

  var persons: [Person] = []
  /// Whose PIN a command uses; nil when commands do not open.
  var openAs: Int?
  var masterPIN: GaragePIN?
  /// For boards that want their commands authenticated.
  var key: GarageKey?
  var regions: GarageRegions
  /// A position that is less accurate says nothing.
  var accuracyMetres: Double
  var closingInterval: Duration
  var travelTime: Duration
  /// A car's beacon that is not heard for this long has left.
  var carSilence: Duration
}

extension GarageSettings {
  static let mostPersons = 20
  static let longestName = 40

  static let schema = OptionSchema([
    .list(
      "persons",
      of: .object(
        OptionSchema([
          .text(
            "name", maximum: longestName, required: true,
            summary: "As it is shown; its slug stands in topics."),
          .secret(
            "pin", GaragePIN.length...GaragePIN.length, required: true,
            summary: "The person's PIN, as the board knows it: five printable ASCII characters."),
          OptionField(
            "owntracks", .rule(ownTracks),
            summary: "`user/device` of the person's OwnTracks, or its whole topic when it does not begin with"
              + " `owntracks/`."),
          .object(
            "car",
            OptionSchema([
              OptionField(
                "uuid", .rule(.bluetoothUUID), .required, summary: "UUID of an iBeacon or AltBeacon."),
              .integer("major", 0...65535, summary: "Left out: any."),
              .integer("minor", 0...65535, summary: "Left out: any."),
              .integer("minimum_rssi", -127...0, summary: "Weaker advertisements do not count, dBm."),
            ]), summary: "A beacon in the person's car, heard by the bridge itself."),
        ])), count: 0...mostPersons, summary: "Who may open."),
    .text(
      "open_as", maximum: longestName,
      summary: "The person whose PIN OPEN uses; without it OPEN is not offered."),
    .secret(
      "master_pin", GaragePIN.length...GaragePIN.length,
      summary: "The board's master PIN, for the requests `garage/pin/…`; without it they are refused."),
    .secret(
      "key", GarageKey.digits...GarageKey.digits,
      summary: "For a board with the authenticated exchange: its key, 64 hexadecimal digits."),
    .duration(
      "closing_interval", .seconds(5)...(.seconds(600)), default: .seconds(30),
      summary: "How long after opening the board closes the door again."),
    .duration(
      "travel_time", .seconds(1)...(.seconds(120)), default: .seconds(20),
      summary: "How long the door moves, at most."),
    .text("home_region", default: "home", summary: "The name of the geofence around the house in OwnTracks."),
    .text("beacon_region", default: "garage", summary: "The name of the garage's beacon in OwnTracks."),
    .object(
      "beacon",
      OptionSchema([
        OptionField(
          "uuid", .rule(.bluetoothUUID), .defaulted(.text("00000000-0000-0000-0000-0000000000ff")),
          summary: "UUID of the garage's beacon, for phones that tell it."),
        .integer("major", 0...65535, default: 0, summary: "Its major number."),
        .integer("minor", 0...65535, default: 1, summary: "Its minor number."),
      ]), summary: "The garage's beacon."),
    .integer(
      "accuracy", 10...1000, default: 100,
      summary: "A position that is less accurate, in metres, does not tell that somebody is out."),
    .duration(
      "car_silence", .seconds(30)...(.seconds(3600)), default: .seconds(120),
      summary: "A car's beacon that is not heard for so long has left."),
  ])

  private static let ownTracks = OptionRule("user/device", expectation: "user/device, such as anna/phone") {
    text in
    guard case .accepted = OptionRule.topic.parse(text) else { return OptionRule.topic.parse(text) }
    switch text.split(separator: "/").count {
    case 1: return .refused(because: "no device")
    case 2: return .accepted(.text("owntracks/" + text))
    default: return .accepted(.text(text))
    }
  }
}

extension GarageSettings {
  /// Nil when there is no going on; what is wrong is appended to `problems`.
  init?(_ options: Options, _ problems: inout [ConfigurationProblem]) {
    guard let interval = options.duration("closing_interval"), let travel = options.duration("travel_time"),
      let home = options.text("home_region"), let region = options.text("beacon_region"),
      let beacon = options.object("beacon"), let uuid = beacon.text("uuid").flatMap({ BluetoothUUID($0) }),
      let major = beacon.integer("major"), let minor = beacon.integer("minor"),
      let accuracy = options.integer("accuracy"), let silence = options.duration("car_silence")
    else { return nil }
    closingInterval = interval
    travelTime = travel
    accuracyMetres = Double(accuracy)
    carSilence = silence
    regions = GarageRegions(
      home: home, beacon: region, uuid: uuid, major: UInt16(clamping: major), minor: UInt16(clamping: minor))
    let before = problems.count
    if GarageRegions.plain(home) == GarageRegions.plain(region) {
      problems.append(options.problem("the name of the home's region as well", at: "beacon_region"))
    }
    for person in options.objects("persons") { take(person, &problems) }
    takeSecrets(options, &problems)
    if let name = options.text("open_as") {
      openAs = persons.firstIndex { $0.name == name }
      if openAs == nil {
        let names = persons.map(\.name)
        problems.append(
          options.problem(
            "no person has this name", at: "open_as",
            expectation: names.isEmpty ? "a person in persons" : "one of \(names.joined(separator: ", "))",
            suggestion: nearestName(to: name, among: names)))
      }
    }
    if problems[before...].contains(where: { $0.severity == .error }) { return nil }
  }

  private mutating func take(_ person: Options, _ problems: inout [ConfigurationProblem]) {
    guard let name = person.text("name"), let secret = person.secret("pin") else { return }
    guard let slug = Slug(of: name) else {
      problems.append(person.problem("no letter or digit is left of it in a topic", at: "name"))
      return
    }
    if let twin = persons.first(where: { $0.slug == slug.text }) {
      problems.append(person.problem("in topics it is '\(slug)', as '\(twin.name)' is", at: "name"))
      return
    }
    guard let pin = GaragePIN(secret.reveal()) else {
      problems.append(Self.pinProblem(person, "pin"))
      return
    }
    if pin.canBeGuessed { problems.append(Self.pinWarning(person, "pin")) }
    var car: Car?
    if let options = person.object("car"), let uuid = options.text("uuid").flatMap({ BluetoothUUID($0) }) {
      car = Car(
        beacon: BeaconPattern(
          .numbered(
            uuid: uuid, major: options.integer("major").flatMap { UInt16(exactly: $0) },
            minor: options.integer("minor").flatMap { UInt16(exactly: $0) })),
        minimumRSSIdBm: options.integer("minimum_rssi"))
    }
    persons.append(
      Person(name: name, slug: slug.text, pin: pin, phone: person.text("owntracks"), car: car))
  }

  private mutating func takeSecrets(_ options: Options, _ problems: inout [ConfigurationProblem]) {
    if let secret = options.secret("master_pin") {
      masterPIN = GaragePIN(secret.reveal())
      if masterPIN == nil {
        problems.append(Self.pinProblem(options, "master_pin"))
      } else if persons.contains(where: { $0.pin == masterPIN }) {
        problems.append(options.problem("a person has it as PIN", at: "master_pin"))
      } else if masterPIN?.canBeGuessed == true {
        problems.append(Self.pinWarning(options, "master_pin"))
      }
    }
    if let secret = options.secret("key") {
      key = GarageKey(secret.reveal())
      if key == nil {
        problems.append(
          options.problem("not a key", at: "key", expectation: "\(GarageKey.digits) hexadecimal digits"))
      } else if key?.canBeGuessed == true {
        problems.append(
          options.problem(
            "whoever has read an example may know this key, and open the door", at: "key",
            expectation: "another one, made by `openssl rand -hex 32`, in the sketch too"))
      }
    }
  }

  /// No error: on a classic board it may be the only one there is, and its owner has to get in to change it.
  private static func pinWarning(_ options: Options, _ name: String) -> ConfigurationProblem {
    options.problem(
      "whoever tries PINs tries this one first", at: name, expectation: "another one, on the board first",
      severity: .warning)
  }

  private static func pinProblem(_ options: Options, _ name: String) -> ConfigurationProblem {
    options.problem("not a PIN", at: name, expectation: "five printable ASCII characters")
  }
}
