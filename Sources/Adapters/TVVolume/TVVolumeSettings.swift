import DeviceModel

/// What the owner may set of a TV volume leveller.
struct TVVolumeSettings: Hashable, Sendable {
  var format = SoundBlocks.Format.s16
  var channels = 1
  var block = 8192
  /// dBFS.
  var silence = -70.0
  var mostKeys = 30
  var keyInterval = Duration.milliseconds(500)

  init() {}

  /// What an option lacks is as without options.
  init(_ options: Options) {
    format = options.text("format").flatMap(SoundBlocks.Format.init) ?? format
    channels = options.integer("channels") ?? channels
    block = options.integer("block") ?? block
    silence = options.number("silence") ?? silence
    mostKeys = options.integer("most_keys") ?? mostKeys
    keyInterval = options.duration("key_interval") ?? keyInterval
  }
}
