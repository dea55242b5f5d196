import DeviceModel

@testable import Adapters

extension Subject {
  /// What a phone says, and what the board answers: any bytes arm nobody and open nothing, unless they are a fresh message
  /// that says so; and no PIN is told.
  static let garage = Subject("garage") { input throws(Violation) in
    let message: OwnTracksMessage?
    do throws(OwnTracksError) {
      message = try OwnTracksMessage(input)
    } catch {
      message = nil
      try require("\(error)".utf8.count <= 1000, "\("\(error)".utf8.count) bytes of words")
    }
    if case .waypoints(let waypoints)? = message {
      try require(waypoints.count <= OwnTracksMessage.mostRegions, "\(waypoints.count) waypoints")
    }
    var table = PINTable()
    var behind = 0
    for part in Pieces(input).parts { behind += table.receive(part) }
    try require(behind <= input.count && table.pins.count <= 256, "\(table.pins.count) PINs")

    guard var garage = garageDoor else { throw Violation("no garage door") }
    var outputs: [Output] = []
    // Long after the dates of the corpus.
    let now = Moment(uptime: .seconds(1000), wall: Timestamp(seconds: 4_000_000_000))
    garage.handle(.remembered(["persons": ["anna": ["inside": false]]]), at: now, into: &outputs)
    garage.handle(.linkUp(.board, maximumPacket: 20), at: now, into: &outputs)
    garage.handle(
      .message(OutsideMessage("anna", topic: "owntracks/anna/phone", payload: input)), at: now, into: &outputs
    )
    garage.handle(.timerFired("pulse"), at: now, into: &outputs)
    garage.handle(
      .request(KindRequest(number: 1, "garage/pin/list", Value.Members())), at: now, into: &outputs)
    garage.handle(.received(.board, input), at: now, into: &outputs)
    for output in outputs {
      switch output {
      case .send(let send):
        try require(!send.bytes.suffix(3).elementsEqual("O=1".utf8), "the relay pulses")
      case .log(_, let words):
        try require(!words.contains("48151") && words.utf8.count <= 1000, "a log line with a PIN")
      default: break
      }
    }
  }

  private static let garageDoor: GarageDoor? = {
    let options: Value = [
      "persons": [["name": "Anna", "pin": "48151", "owntracks": "anna/phone"]], "master_pin": "62342",
    ]
    var problems: [ConfigurationProblem] = []
    let checked = GarageSettings.schema.check(LocatedValue(options), path: "options", problems: &problems)
    return GarageSettings(checked, &problems).map { GarageDoor($0) }
  }()
}
