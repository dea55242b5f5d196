import DeviceModel

/// A beacon's properties.
enum BeaconProperty {
  static let presence: PropertyKey = "presence"
  static let proximity: PropertyKey = "proximity"
  static let distance: PropertyKey = "distance"
  static let rssi: PropertyKey = "rssi"
  static let battery: PropertyKey = "battery"

  static let leftBehind = "left_behind"
  static let returned = "returned"

  static let home: Value = "home"
  static let notHome: Value = "not_home"
  /// By ``Bands/index``.
  static let proximities = ["immediate", "near", "far"]
  static let unknown: Value = "unknown"

  /// - Parameter hasBattery: It has said how full its battery is.
  static func description(hasBattery: Bool) -> DeviceDescription {
    DeviceDescription(
      model: "Beacon", properties: properties + (hasBattery ? [batteryProperty] : []),
      eventTypes: [leftBehind, returned])
  }

  private static let properties = [
    Property(
      presence, name: nil, .deviceTracker(sourceType: "bluetooth_le"), icon: "mdi:key-wireless",
      summary: "home from the first advertisement on, not_home after the silence."),
    Property(
      proximity, name: "Proximity", .enumeration(proximities + ["unknown"]), icon: "mdi:map-marker-distance",
      summary: "immediate, near or far; unknown while it is not heard or tells no power."),
    Property(
      distance, name: "Distance",
      .sensor(.init(unit: "m", deviceClass: "distance", stateClass: .measurement, precision: 1)),
      summary: "Estimated from the strength, smoothed; good to a factor of two."),
    Property(
      rssi, name: "Signal strength",
      .sensor(
        .init(unit: "dBm", deviceClass: "signal_strength", stateClass: .measurement, precision: 0)),
      category: .diagnostic, summary: "Received, smoothed."),
  ]

  private static let batteryProperty = Property(
    battery, name: "Battery",
    .sensor(.init(unit: "%", deviceClass: "battery", stateClass: .measurement, precision: 0)),
    category: .diagnostic, summary: "Only of a beacon that tells it; of a voltage an estimate.")
}
