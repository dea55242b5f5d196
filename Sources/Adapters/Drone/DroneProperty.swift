import DeviceModel

/// The drone's properties.
enum DroneProperty {
  static let activity: PropertyKey = "activity"
  static let takeOff: PropertyKey = "take_off"
  static let land: PropertyKey = "land"
  static let hover: PropertyKey = "hover"
  static let reset: PropertyKey = "reset"
  static let shutDown: PropertyKey = "shut_down"
  static let emergency: PropertyKey = "emergency"
  static let target: PropertyKey = "target"
  static let distance: PropertyKey = "distance"
  static let bearing: PropertyKey = "bearing"
  static let battery: PropertyKey = "battery"
  static let altitude: PropertyKey = "altitude"
  static let heading: PropertyKey = "heading"
  static let location: PropertyKey = "location"

  enum Activity: String, CaseIterable {
    case landed, flying, hovering, landing, emergency
    case takingOff = "taking_off"
  }

  enum Event {
    static let arrived = "arrived"
    /// Nothing is known to fly by: it hovers.
    static let positionLost = "position_lost"
    static let positionFound = "position_found"
    /// By a new position the target is farther than it may be: it hovers, and the target is gone.
    static let targetTooFar = "target_too_far"
    static let telemetryLost = "telemetry_lost"
    static let batteryLow = "battery_low"
    /// It lands though nobody asked for it; `reason` says why.
    static let landing = "landing"
    static let emergency = "emergency"
  }

  static let description = DeviceDescription(
    manufacturer: "Parrot", model: "AR.Drone",
    properties: [
      Property(
        activity, name: "Activity", .enumeration(Activity.allCases.map(\.rawValue)), icon: "mdi:quadcopter",
        summary: "What it does; flying is on the way to a target, hovering anything else in the air."),
      Property(
        takeOff, name: "Take off", .button(), verbs: [.set], icon: "mdi:airplane-takeoff",
        summary: "Refused on a low battery, and in any state but landed."),
      Property(
        land, name: "Land", .button(), verbs: [.set], icon: "mdi:airplane-landing", summary: "Where it is."),
      Property(
        hover, name: "Hover", .button(), verbs: [.set], icon: "mdi:pause",
        summary: "Stays where it is; the target is gone."),
      Property(
        target, name: "Target", .structured, verbs: [.set], icon: "mdi:map-marker",
        summary:
          "An object with latitude and longitude, in degrees; taken in the air and within reach, and the flight begins."
      ),
      Property(
        distance, name: "Distance",
        .sensor(.init(unit: "m", deviceClass: "distance", stateClass: .measurement, precision: 1)),
        summary: "To the target."),
      Property(
        bearing, name: "Bearing", .sensor(.init(unit: "°", precision: 0)), icon: "mdi:compass",
        summary: "Of the target, clockwise from true north."),
      Property(
        battery, name: "Battery",
        .sensor(.init(unit: "%", deviceClass: "battery", stateClass: .measurement, precision: 0)),
        category: .diagnostic, summary: "A flight lasts about ten minutes."),
      Property(
        altitude, name: "Altitude",
        .sensor(.init(unit: "m", deviceClass: "distance", stateClass: .measurement, precision: 1)),
        icon: "mdi:altimeter", summary: "Above ground, by its own ultrasound."),
      Property(
        heading, name: "Heading", .sensor(.init(unit: "°", precision: 0)), icon: "mdi:compass-outline",
        summary: "Where its nose points, clockwise from true north, by the position that it is told."),
      Property(
        location, name: "Location", .deviceTracker(sourceType: "gps"), verbs: [.set], needsNoLink: true,
        summary:
          "Where it is told to be: an object with latitude and longitude in degrees, heading in degrees and accuracy"
          + " in metres. It flies by nothing else, and hovers when the last is older than 5 s or worse than 25 m."
      ),
      Property(
        reset, name: "Reset", .button(deviceClass: "restart"), verbs: [.set], category: .config,
        summary: "Ends the state of emergency."),
      Property(
        shutDown, name: "Shut down", .button(), verbs: [.set], category: .config, icon: "mdi:power",
        summary: "Lands, then leaves it alone until the next take-off."),
      Property(
        emergency, name: "Emergency", .button(), verbs: [.set], category: .config, icon: "mdi:alert-octagon",
        isEnabledByDefault: false, summary: "Cuts the motors at once, also in the air: it falls."),
    ],
    eventTypes: [
      Event.arrived, Event.positionLost, Event.positionFound, Event.targetTooFar, Event.telemetryLost,
      Event.batteryLow, Event.landing, Event.emergency,
    ])
}
