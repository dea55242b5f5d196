import DeviceModel

extension ProfileSchema {
  static let link = OptionSchema([
    .list(
      "transports", of: .choice(LinkRequirement.Transport.allCases.map(\.rawValue)), count: 1...5,
      summary: "The keys by which a device may reach the board; all if not written."),
    .choice(
      "session", ["held", "polled", "on_demand"],
      summary:
        "What holds if the device's link says nothing: connected always, every so often, or for a command."),
    .duration("poll", .seconds(1) ... .seconds(86_400), summary: "How often; it makes the session polled."),
    .list(
      "until", of: .text(1...64), count: 1...20,
      summary: "Messages with which a session that is not held is over; else it is after a second of silence."
    ),
  ])

  static let framing = OptionSchema(
    [
      OptionField(
        "line", .shapes([.rawText(1...20), .list(.rawText(1...20), count: 1...5), .object(hexadecimal)]),
        summary: "What ends a message; one of several. A carriage return before a line feed belongs to it."),
      .boolean("packet", default: false, summary: "A message is what the link delivers at once."),
      .integer("length", 1...4096, summary: "All messages have so many bytes, their start among them."),
      .object(
        "prefix",
        OptionSchema([
          .integer("at", 0...64, default: 0, summary: "Where the number is, from the message's first byte."),
          .choice(
            "type", NumberFormat.words.filter { $0.hasPrefix("u") }, default: "u8",
            summary: "How it stands there."),
          .integer(
            "add", -64...4096, default: 0, summary: "What with the number is the length of the whole message."
          ),
        ]), summary: "A number in the message says how long it is."),
      OptionField(
        "tags", .table(.integer(1...4096), count: 1...50),
        summary: "What a message begins with says how many bytes it has, those among them."),
      .duration(
        "silence", .milliseconds(5) ... .seconds(60),
        summary: "A message is over when nothing came for so long."),
      .boolean(
        "search", default: false,
        summary:
          "Messages are found by their regular expressions, whatever is between them and however they are cut."
      ),
      OptionField("start", bytes, summary: "What begins every message."),
      OptionField("end", bytes, summary: "With `start`: what ends it."),
      .integer(
        "maximum", 1...FrameRule.longest, default: 512,
        summary: "Of one message, in bytes; a longer one is passed over."),
      .duration(
        "timeout", .milliseconds(10) ... .seconds(600), default: .seconds(2),
        summary: "The beginning of a message whose rest does not come in this time is passed over."),
      .boolean(
        "hex", default: false,
        summary: "Messages are written in hexadecimal digits; their bytes are what counts."),
      .object(
        "checksum", checksum, summary: "Each message has one at its end; what does not fit is passed over."),
    ],
    alternatives: [
      .init(["line", "packet", "length", "prefix", "tags", "silence", "search", "end"], isRequired: true)
    ])

  static let checksum = OptionSchema([
    .choice(
      "method", Checksum.Method.allCases.map(\.rawValue), required: true, summary: "How it is computed."),
    .integer(
      "from", 0...64, summary: "So many bytes at the beginning are not covered; 1 for `nmea`, else 0."),
    .choice(
      "form", ["binary", "hex"], summary: "Bytes, or hexadecimal digits; `hex` for `nmea`, else `binary`."),
    .choice(
      "order", ["little", "big"],
      summary: "Of two bytes: `big` for `crc16_ccitt` and `crc16_xmodem`, else `little`."),
    OptionField(
      "separator", bytes, summary: "What stands before it and is not covered; `*` for `nmea`, else nothing."),
  ])
}
