import DeviceModel
import JSON

/// Newer boards play other codes too, by the names under which they have learnt them or as they are sent, and tell what
/// they see.
extension TVVolume: TranslatedLogic {
  static let infrared: PropertyKey = "infrared"
  static let infraredReceived: PropertyKey = "infrared_received"

  static let additions = [
    Property(
      "code", name: "Code", .select(["none"]), verbs: [.set], icon: "mdi:remote",
      summary: "Plays the code that the board knows by this name."),
    Property(
      infrared, name: "Infrared", .infraredEmitter, verbs: [.set], icon: "mdi:remote-tv",
      summary: "Plays a code as it is sent."),
    Property(
      infraredReceived, name: "Infrared received", .infraredReceiver, icon: "mdi:remote",
      summary: "The codes that the board sees, each once on the topic of this name."),
  ]

  func command(for packet: [UInt8]) -> Command? {
    switch packet {
    case [UInt8(ascii: "I")]: Command(TVVolumeProperty.volumeUp, .unknown)
    case [UInt8(ascii: "D")]: Command(TVVolumeProperty.volumeDown, .unknown)
    default: nil
    }
  }

  func prepared(_ addition: Command, for board: LineForm.Board) throws(Rejection) -> [Command] {
    guard addition.property == Self.infrared else { return [addition] }
    let code = try InfraredCode(addition.value)
    let longest = board.entity(Self.infrared)?.longest ?? 0
    guard longest >= InfraredParts.shortest else {
      throw Rejection(
        .unsupported, "the board takes texts of \(longest) bytes: too short for a part of a code")
    }
    var commands: [Command] = []
    for text in try InfraredParts.texts(of: code, longest: longest) {
      commands.append(Command(addition.property, .text(text)))
    }
    return commands
  }

  mutating func heard(at now: Duration) {}

  mutating func take(_ key: PropertyKey, _ value: Value, at now: Moment, into outputs: inout [Output]) {
    guard key == Self.infraredReceived, case .text(let text) = value, !text.isEmpty else { return }
    do throws(InfraredAssembly.Fault) {
      guard let code = try seen.take(text) else { return }
      var payload: [UInt8] = []
      JSON.append(code.value, to: &payload)
      outputs.append(.publish(key.text, payload))
    } catch {
      switch error {
      case .unknownPart: outputs.append(.undecodable(bytes: text.utf8.count, "no part of an infra-red code"))
      // The rest of what a board says anew after a greeting.
      case .outOfPlace: break
      }
    }
  }
}
