import DeviceModel

/// Newer boards play other codes too, by the names under which they have learnt them.
extension TVVolume: TranslatedLogic {
  static let additions = [
    Property(
      "code", name: "Code", .select(["none"]), verbs: [.set], icon: "mdi:remote",
      summary: "Plays the code that the board knows by this name.")
  ]

  func command(for packet: [UInt8]) -> Command? {
    switch packet {
    case [UInt8(ascii: "I")]: Command(TVVolumeProperty.volumeUp, .unknown)
    case [UInt8(ascii: "D")]: Command(TVVolumeProperty.volumeDown, .unknown)
    default: nil
    }
  }

  mutating func heard(at now: Duration) {}
  mutating func take(_ key: PropertyKey, _ value: Value, at now: Moment, into outputs: inout [Output]) {}
}
