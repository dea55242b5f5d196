import DeviceModel

/// What a drone's owner may choose.
struct DroneSettings: Hashable, Sendable {
  /// Share of the greatest speed at which it goes to a target.
  var speed = 0.2
  /// Metres from the drone beyond which a target is not flown to.
  var reach = 100.0
  /// Degrees clockwise from its nose to what looks ahead on the phone that tells the position.
  var mountingOffset = 0.0
  /// Percent of the battery below which it does not take off, and below which it lands.
  var takeOffBattery = 25
  var landingBattery = 10
  /// Without a broker, or without telemetry, it hovers for so long and then lands.
  var patience = Duration.seconds(30)
  /// Topic of the OwnTracks app of a phone on board; nil for none.
  var ownTracksTopic: String?

  init() {}

  static let schema = OptionSchema([
    .number("speed", 0.05...1, default: 0.2, summary: "Towards a target, as a share of the greatest speed."),
    .number(
      "reach", 1...10_000, default: 100,
      summary: "How far from the drone a target may be, in metres: so a mistyped degree is not flown to."),
    .number(
      "mounting_offset", -180...180, default: 0,
      summary:
        "Degrees clockwise from the drone's nose to what looks ahead on what tells the position: 90 for a phone that lies across."
    ),
    .integer(
      "take_off_battery", 0...100, default: 25, summary: "Below this, in percent, it does not take off."),
    .integer("landing_battery", 0...100, default: 10, summary: "Below this, in percent, it lands."),
    .duration(
      "patience", .seconds(1)...(.seconds(600)), default: .seconds(30),
      summary: "How long it hovers before it lands when the broker or its telemetry is lost."),
    OptionField(
      "owntracks", .rule(.ownTracksDevice),
      summary: "User and device of the OwnTracks app on a phone on board, `ann/phone`."),
  ])

  init(_ options: Options) {
    speed = options.number("speed") ?? speed
    reach = options.number("reach") ?? reach
    mountingOffset = options.number("mounting_offset") ?? mountingOffset
    takeOffBattery = options.integer("take_off_battery") ?? takeOffBattery
    landingBattery = options.integer("landing_battery") ?? landingBattery
    patience = options.duration("patience") ?? patience
    ownTracksTopic = options.text("owntracks").map { "owntracks/\($0)" }
  }
}

extension OptionRule {
  /// The two last levels of the topics on which OwnTracks publishes.
  static let ownTracksDevice = OptionRule(
    "user/device", expectation: "a user and a device, such as ann/phone"
  ) {
    text in
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isGood =
      parts.count == 2 && parts.allSatisfy { part in !part.isEmpty && !part.contains { "+#".contains($0) } }
    return isGood ? .accepted(.text(text)) : .refused()
  }
}
