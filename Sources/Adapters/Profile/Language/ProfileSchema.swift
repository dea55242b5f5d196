import DeviceModel

/// All keys of a profile; its reference page is rendered from them.
enum ProfileSchema {
  static let profile = OptionSchema([
    OptionField(
      "extends", .path,
      summary: "Another profile that holds where this one says nothing; `~` takes one of its keys away."),
    .text("manufacturer", maximum: 100, summary: "Who made the board, for Home Assistant."),
    .text("model", maximum: 100, summary: "What it is, for Home Assistant."),
    .object("link", link, summary: "How the board is usually reached."),
    OptionField(
      "framing", .shapes([.choice(["line", "packet"]), .object(framing)]), .defaulted(.text("line")),
      summary:
        "How bytes are cut into messages: at line ends, as the link delivers them, or by one of the keys."),
    OptionField(
      "messages", .map(.object(message), count: 0...50),
      summary: "What the board sends, by names of your choice; the first that fits is taken."),
    OptionField(
      "properties", .map(.object(property), count: 0...100), .required,
      summary: "What is seen and set; the names are keys of the state and topics."),
    .object("sending", sending, summary: "What holds for everything that is sent."),
    OptionField(
      "on_connect",
      .shapes([.rawText(1...500), .list(.shapes([.rawText(1...500), .object(exchange)]), count: 1...16)]),
      summary: "What is sent each time the board is connected, in this order."),
    .list("polling", of: .object(poll), count: 1...16, summary: "What is asked again and again."),
    .duration(
      "silence", .seconds(1) ... .seconds(86_400),
      summary: "A board that says nothing for so long is away; for one that speaks by itself or is polled."),
  ])

  /// Text that is sent or compared as it stands, or bytes.
  static let bytes = OptionType.shapes([.rawText(0...500), .object(hexadecimal)])

  static let hexadecimal = OptionSchema([
    OptionField(
      "hex", .rule(digits), .required, summary: "Bytes instead of text, as pairs of hexadecimal digits.")
  ])

  static let digits = OptionRule("hexadecimal digits", expectation: "pairs of hexadecimal digits") {
    guard let bytes = [UInt8](spacedHexadecimal: $0.utf8), bytes.count <= 250 else { return .refused() }
    return .accepted(.text(bytes.capitalHexadecimal()))
  }

  static let words = OptionType.shapes([
    .rawText(0...200), .list(.rawText(0...200), count: 1...50),
  ])

  static let texts = OptionType.shapes([.rawText(1...500), .list(.rawText(1...500), count: 1...16)])
}
