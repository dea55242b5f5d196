import DeviceModel

@testable import Adapters

extension Subject {
  /// As telemetry: a packet that is taken holds what its checksum says. As a life: whatever comes in whatever order,
  /// only lines that the guide knows are sent, numbered upward, and it rises for a take-off only.
  static let drone = Subject("drone") { input throws(Violation) in
    if let telemetry = try? DroneTelemetry(decoding: input) {
      try require(input.count >= 24, "telemetry of \(input.count) bytes")
      if let demo = telemetry.demo {
        try require(demo.pitch.isFinite && demo.roll.isFinite && demo.yaw.isFinite, "\(demo)")
      }
    }
    try live(input)
  }

  private static func live(_ input: [UInt8]) throws(Violation) {
    var choices = Choices(input)
    var drone = Drone()
    var now = Moment(uptime: .seconds(100), wall: Timestamp(seconds: 1_796_000_000))
    var sequence: UInt32 = 0
    var batch: UInt64 = 0
    var outputs: [Output] = []
    var mayRise = false
    drone.handle(.broker(isConnected: true), at: now, into: &outputs)
    while !choices.isAtEnd {
      outputs.removeAll(keepingCapacity: true)
      switch choices.number(below: 12) {
      case 0:
        drone.handle(.linkUp(.board, maximumPacket: 1472), at: now, into: &outputs)
        mayRise = false
      case 1:
        drone.handle(.linkDown(.board, "gone"), at: now, into: &outputs)
        mayRise = false
      case 2:
        let isConnected = choices.byte() > 60
        drone.handle(.broker(isConnected: isConnected), at: now, into: &outputs)
        if !isConnected { mayRise = false }
      case 3: drone.handle(.received(Drone.telemetry, choices.bytes()), at: now, into: &outputs)
      case 4, 5:
        now = now.advanced(by: .milliseconds(choices.number(below: 250) * 20))
        drone.handle(.timerFired("beat"), at: now, into: &outputs)
      case 6, 7:
        let keys: [PropertyKey] = ["take_off", "land", "hover", "reset", "shut_down", "emergency"]
        let key = keys[choices.number(below: keys.count)]
        batch += 1
        drone.handle(
          .commands(CommandBatch(number: batch, [Command(key, .unknown)])), at: now, into: &outputs)
        let isRefused = outputs.contains { if case .reject(batch, _, _) = $0 { true } else { false } }
        if !isRefused, key != "hover" { mayRise = key == "take_off" }
      case 8:
        let place: Value = [
          "latitude": .number(Double(choices.byte())), "longitude": .number(Double(choices.byte())),
          "heading": .number(Double(choices.byte())),
        ]
        let key: PropertyKey = choices.byte() & 1 == 0 ? "location" : "target"
        batch += 1
        drone.handle(.commands(CommandBatch(number: batch, [Command(key, place)])), at: now, into: &outputs)
      default:
        sequence += 1
        drone.handle(
          .received(Drone.telemetry, telemetry(sequence, choices.byte(), choices.byte(), choices.byte())),
          at: now, into: &outputs)
      }
      try require(outputs.count <= 100, "\(outputs.count) outputs")
      for case .send(let send) in outputs where send.role == .board {
        let isRising = try checkLines(send.bytes)
        try require(mayRise || !isRising, "it is told to rise, and nobody asked for it")
      }
    }
  }

  /// Whether one of them says to rise.
  private static func checkLines(_ packet: [UInt8]) throws(Violation) -> Bool {
    try require(packet.count <= 1024, "a packet of \(packet.count) bytes")
    var last = 0
    var isRising = false
    for line in packet.split(separator: 0x0D) {
      let text = String(decoding: line, as: UTF8.self)
      let parts = text.split(separator: "=", maxSplits: 1)
      try require(
        parts.count == 2
          && ["AT*REF", "AT*PCMD", "AT*FTRIM", "AT*COMWDG", "AT*CONFIG", "AT*CTRL"].contains(parts[0]),
        "\(text) is no command of a drone")
      let arguments = parts[1].split(separator: ",")
      guard let number = Int(arguments[0]) else { throw Violation("\(text) has no number") }
      try require(number > last, "\(text) after \(last)")
      last = number
      if parts[0] == "AT*REF" { isRising = isRising || arguments.last == "290718208" }
    }
    return isRising
  }

  private static func telemetry(_ sequence: UInt32, _ control: UInt8, _ battery: UInt8, _ state: UInt8)
    -> [UInt8]
  {
    var packet: [UInt8] = []
    func append(_ number: UInt32) {
      for shift: UInt32 in [0, 8, 16, 24] { packet.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    append(0x5566_7788)
    append(UInt32(state & 1) | UInt32(state & 2) << 29 | UInt32(state & 4) << 29 | UInt32(state & 8) << 12)
    append(sequence)
    append(0)
    packet += [0, 0, 28, 0]
    append(UInt32(control % 10) << 16)
    append(UInt32(battery % 101))
    for _ in 0..<4 { append(0) }
    let sum = packet.reduce(0 as UInt32) { $0 &+ UInt32($1) }
    packet += [0xFF, 0xFF, 8, 0]
    append(sum)
    return packet
  }
}
