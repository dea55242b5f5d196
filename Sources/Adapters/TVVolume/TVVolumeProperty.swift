import DeviceModel

/// The TV volume leveller's properties.
enum TVVolumeProperty {
  static let levelling: PropertyKey = "levelling"
  static let target: PropertyKey = "target"
  static let volumeUp: PropertyKey = "volume_up"
  static let volumeDown: PropertyKey = "volume_down"
  static let level: PropertyKey = "level"
  static let lastKey: PropertyKey = "last_key"

  static let none = "none"
  /// So many keys of one kind in a row that the TV is at its limit, or does not hear; `key` says which.
  static let limitEvent = "limit_reached"
  /// The capture command has ended; `reason` says why.
  static let microphoneEvent = "microphone_lost"

  static let description = DeviceDescription(
    model: "TV volume leveller",
    properties: [
      Property(
        levelling, name: "Levelling", .switch(), verbs: [.set], icon: "mdi:tune-vertical",
        summary: "Whether the sound's level decides about keys. OFF until it is set; kept."),
      Property(
        target, name: "Target", .number(.init(-50...0), .init(unit: "dB")), verbs: [.set],
        icon: "mdi:target", summary: "The level that is wanted, in dBFS; kept."),
      Property(
        volumeUp, name: "Volume up", .button(), verbs: [.set], icon: "mdi:volume-plus",
        summary: "The TV's key, once."),
      Property(
        volumeDown, name: "Volume down", .button(), verbs: [.set], icon: "mdi:volume-minus",
        summary: "The TV's key; the board plays it twice."),
      Property(
        level, name: "Level", .sensor(.init(unit: "dB", stateClass: .measurement, precision: 1)),
        verbs: [.set], icon: "mdi:volume-high", needsNoLink: true,
        summary:
          "The sound's smoothed level in dBFS, -120 in silence; unknown without a microphone. Levels can be"
          + " fed to it from outside, one for each block of sound."),
      Property(
        lastKey, name: "Last key", .enumeration(VolumeControl.Key.allCases.map(\.rawValue) + [none]),
        icon: "mdi:remote-tv", summary: "The key that was last played, by whoever wanted it."),
    ],
    eventTypes: [limitEvent, microphoneEvent])
}
