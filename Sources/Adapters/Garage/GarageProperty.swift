import DeviceModel

/// The garage door's properties.
enum GarageProperty {
  static let door: PropertyKey = "door"
  static let lastOpenedBy: PropertyKey = "last_opened_by"
  static let lastOpened: PropertyKey = "last_opened"
  static let closingInterval: PropertyKey = "closing_interval"
  static let light: PropertyKey = "light"

  static func armed(_ slug: String) -> PropertyKey { PropertyKey(stringLiteral: "armed_\(slug)") }
  static func simulateExit(_ slug: String) -> PropertyKey {
    PropertyKey(stringLiteral: "simulate_exit_\(slug)")
  }
  static func presence(_ slug: String) -> PropertyKey { PropertyKey(stringLiteral: "presence/\(slug)") }
  static func isIn(_ region: GarageRegion, _ slug: String) -> PropertyKey {
    PropertyKey(stringLiteral: "in_\(region.rawValue)_\(slug)")
  }

  enum Event {
    static let opened = "opened"
    static let refused = "refused"
    static let lockedOut = "locked_out"
    static let regionEntered = "region_entered"
    static let regionLeft = "region_left"
    static let leftOpen = "left_open"

    static let classic = [opened, refused, lockedOut, regionEntered, regionLeft]
  }

  /// Seconds that a newer board may be told to wait before it closes the door.
  static let closingRange = PropertyKind.NumberRange(5...600)

  static func description(of settings: GarageSettings) -> DeviceDescription {
    let isNewer = settings.key != nil
    var properties = [
      Property(
        door, name: nil, .cover(deviceClass: "garage", canClose: isNewer, canStop: false),
        verbs: settings.openAs == nil ? [] : [.set], isAssumed: !isNewer, needsNoLink: true,
        summary: isNewer
          ? "The door, as its board says."
          : "The door. What it shows follows from the last opening; it is closed again when the board must have"
            + " closed it. While it counts as open, OPEN is refused."),
      Property(
        lastOpenedBy, name: "Last opened by", .sensor(), icon: "mdi:account-key",
        summary: "Who opened it last through the bridge."),
      Property(lastOpened, name: "Last opened", .timestamp, summary: "When that was."),
    ]
    if isNewer {
      properties += [
        Property(
          closingInterval, name: "Closing interval",
          .number(closingRange, .init(unit: "s", deviceClass: "duration", precision: 0)), verbs: [.set],
          category: .config, summary: "How long after opening the board closes the door."),
        Property(
          light, name: "Light", .switch(), verbs: [.set], icon: "mdi:lightbulb",
          summary: "The garage's light."),
      ]
    }
    for person in settings.persons { properties += self.properties(of: person) }
    return DeviceDescription(
      model: "Garage door", properties: properties,
      eventTypes: Event.classic + (isNewer ? [Event.leftOpen] : []))
  }

  private static func properties(of person: GarageSettings.Person) -> [Property] {
    let slug = person.slug
    return [
      Property(
        armed(slug), name: "\(person.name) opens on arrival", .binarySensor(),
        icon: "mdi:home-import-outline",
        summary: "ON while \(person.name) is out: coming home would open the door."),
      Property(
        simulateExit(slug), name: "Simulate exit of \(person.name)", .button(), verbs: [.set],
        category: .diagnostic, icon: "mdi:home-export-outline", needsNoLink: true,
        summary: "As if \(person.name) had left the home's region, to try an arrival out."),
      Property(
        isIn(.home, slug), name: "\(person.name) at home", .binarySensor(deviceClass: "presence"),
        category: .diagnostic, summary: "ON while \(person.name) is in the home's region."),
      Property(
        isIn(.beacon, slug), name: "\(person.name) near the garage", .binarySensor(deviceClass: "presence"),
        category: .diagnostic, summary: "ON while \(person.name) is where the garage's beacon is heard."),
      Property(
        presence(slug), name: "Presence of \(person.name)", .command, verbs: [.set], needsNoLink: true,
        summary: "`enter` (the beacon's region), `leave` (the home), or"
          + " {\"region\":\"beacon\" or \"home\",\"event\":\"enter\" or \"leave\",\"tst\":seconds}."),
    ]
  }
}
