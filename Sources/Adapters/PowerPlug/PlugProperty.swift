import DeviceModel

/// The power plug's properties.
enum PlugProperty {
  static let power: PropertyKey = "power"
  static let mode: PropertyKey = "mode"
  static let schedule: PropertyKey = "schedule"
  static let nextSwitch: PropertyKey = "next_switch"
  static let running: PropertyKey = "running"
  static let clash: PropertyKey = "clash"
  static let drift: PropertyKey = "drift"

  static let automatic = "automatic"
  static let manual = "manual"
  /// ``running`` when nothing runs.
  static let none = "none"

  static let description = DeviceDescription(
    model: "Wi-Fi power plug",
    properties: [
      Property(
        power, name: nil, .switch(deviceClass: "outlet"), verbs: [.set],
        summary: "The appliance. Switching it puts the board in manual mode."),
      Property(
        mode, name: "Mode", .select([automatic, manual]), verbs: [.set], icon: "mdi:calendar-clock",
        summary: "In manual mode activations are ignored. Setting manual keeps the present power."),
      Property(
        schedule, name: "Schedule", .structured, verbs: [.set, .put, .delete], icon: "mdi:calendar-multiple",
        summary: "The table of activations; start in UTC, length and period in minutes, period 0 for once."),
      Property(
        nextSwitch, name: "Next switch", .timestamp, icon: "mdi:clock-outline",
        summary: "When the schedule switches the appliance next; unknown in manual mode."),
      Property(
        running, name: "Running", .sensor(), icon: "mdi:calendar-check",
        summary: "The name of the activation that runs now, or none; none in manual mode."),
      Property(
        clash, name: "Clash", .binarySensor(deviceClass: "problem"),
        summary: "Two activations are on at one time, now or later."),
      Property(
        drift, name: "Drift", .binarySensor(deviceClass: "problem"),
        summary:
          "A start stands where it should not: moved wrongly by the board, which is put right after each"
          + " cycle, or not moved at all because the board does not know the time."),
    ])
}
