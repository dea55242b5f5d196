import DeviceModel

@testable import Adapters

extension Subject {
  /// As telemetry: no more is made of bytes than there are, and little is held back. As commands: none is sent that
  /// the board does not know, and after a stop the rover stands.
  static let rover = Subject("rover") { input throws(Violation) in
    try checkTelemetry(input)
    try checkDriving(input)
  }

  private static func checkTelemetry(_ input: [UInt8]) throws(Violation) {
    var decoder = RoverDecoder()
    var pieces: [RoverDecoder.Piece] = []
    let stream = Pieces(input)
    for part in stream.parts { decoder.receive(part, into: &pieces) }
    var told = 0
    for piece in pieces {
      switch piece {
      case .garbage(let bytes):
        try require(bytes > 0, "garbage of \(bytes) bytes")
        told += bytes
      case .tilt(let tilt):
        told += 9
        try require(max(abs(tilt.across), abs(tilt.along)) <= 15_700, "a tilt of \(tilt)")
      }
    }
    try require(told <= stream.whole.count, "\(told) of \(stream.whole.count) bytes are told")
  }

  /// Each byte is a command, or time that passes.
  private static func checkDriving(_ input: [UInt8]) throws(Violation) {
    var rover = Rover()
    var now = Moment(uptime: .zero, wall: Timestamp(seconds: 1_796_000_000))
    var outputs: [Output] = []
    rover.handle(.linkUp(.board, maximumPacket: 20), at: now, into: &outputs)
    let words = VoiceWord.all.map { Value.text($0.word) }
    for (number, byte) in input.prefix(500).enumerated() {
      let argument = Double(byte & 0x1F) * 3
      let command: Command
      switch byte >> 5 {
      case 0: command = Command("throttle", .number(argument))
      case 1: command = Command("steering", .number(argument - 48))
      case 2: command = Command("direction", byte & 1 == 0 ? "forward" : "backward")
      case 3: command = Command("voice", words[Int(byte) % words.count])
      case 4:
        command = Command("attitude", ["pitch": .number(argument + 20), "roll": .number(argument - 40)])
      case 5: command = Command("stop", .unknown)
      case 6: command = Command("speed_profile", byte & 1 == 0 ? "slow" : "fast")
      default:
        now = now.advanced(by: .milliseconds(Int(byte & 0x1F) * 10))
        for output in outputs {
          if case .send(let send) = output, let number = send.number {
            rover.handle(.sent(number), at: now, into: &outputs)
          }
        }
        outputs.removeAll()
        continue
      }
      let count = outputs.count
      rover.handle(
        .commands(CommandBatch(number: UInt64(number), [command])), at: now, into: &outputs)
      for case .send(let send) in outputs[count...] { try checkPacket(send.bytes) }
      if command.property == "stop" {
        try require(
          outputs[count...].contains {
            if case .send(let send) = $0 { send.policy == .overtaking } else { false }
          },
          "a stop that is not sent")
        try require(outputs.contains(.report("throttle", 0)), "a stop that is not reported")
      }
    }
  }

  private static func checkPacket(_ bytes: [UInt8]) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "F" || text == "B" { return }
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    try require(
      parts.count == 2 && ["T", "R", "L"].contains(parts[0]) && (0...100).contains(Int(parts[1]) ?? -1),
      "\(text) is no command of a rover")
  }
}
