public import DeviceModel

extension LinkRole {
  /// Where the TV volume leveller hears the room.
  static let microphone: LinkRole = "microphone"
}

extension TVVolume {
  public static let kind = Kind(
    name: "tv_volume",
    summary: "A board that plays the TV's volume keys as infra-red, and keeps the sound at a level.",
    options: OptionSchema([
      .choice(
        "format", SoundBlocks.Format.allCases.map(\.rawValue), default: SoundBlocks.Format.s16.rawValue,
        summary: "Of the samples that the capture command prints, as arecord names them."),
      .integer("channels", 1...8, default: 1, summary: "Of the sound; all count alike."),
      .integer(
        "block", 64...1_048_576, default: 8192,
        summary: "Frames whose level is taken together; 8192 are 186 ms at 44.1 kHz."),
      .number(
        "silence", -119 ... -20, default: -70,
        summary: "A block below this level in dBFS is silent: it turns nothing up."),
      .integer(
        "most_keys", 1...100, default: 30,
        summary: "Keys of one kind in a row, after which the TV is believed to be at its limit."),
      .duration(
        "key_interval", .milliseconds(100)...(.seconds(10)), default: .milliseconds(500),
        summary: "Between two keys that levelling plays: as long as the TV takes."),
      NewerForm.option,
    ]),
    links: [
      LinkRequirement(transports: [.ble], speaks: false),
      LinkRequirement(role: .microphone, transports: [.capture]),
    ]
  ) { options, _ in LogicInLines(TVVolume(TVVolumeSettings(options)), choice: NewerForm.choice(in: options)) }
}
