import DeviceModel

extension Configuration {
  static let deviceSchema = OptionSchema(
    [
      .text("name", maximum: 100, required: true, summary: "As it is shown; its slug is the topic."),
      OptionField(
        "id", .rule(slugRule), summary: "The topic instead; with it the name can change and the device stays."
      ),
      .text("kind", maximum: 64, required: true, summary: "What it is; see the kinds."),
      .object("link", linkSchema, summary: "How the board is reached."),
      OptionField(
        "links", .map(.object(linkSchema), count: 1...8),
        summary: "Several ways, each by its role: `board`, `microphone`, …."),
      OptionField("options", .anything, summary: "What the kind knows; see there."),
      .text("area", maximum: 100, summary: "The room that Home Assistant suggests."),
      OptionField("icon", .rule(iconRule), summary: "An icon for Home Assistant."),
      .boolean("last_seen", default: false, summary: "Also show when the board last spoke."),
      .boolean("rssi", default: false, summary: "Also show how strong its radio is, in dBm."),
      .boolean("reconnects", default: false, summary: "Also show how often the link came back."),
      .object("filters", filtersSchema, summary: "Changes that are not worth a message."),
    ],
    alternatives: [.init(["link", "links"], isRequired: false)])

  static let linkTargets = ["tcp", "udp", "serial", "ble", "ble_name", "capture"]

  static let linkSchema = OptionSchema(
    [
      OptionField("tcp", .hostPort, summary: "The board's address and port."),
      OptionField("udp", .hostPort, summary: "The board's address and port."),
      OptionField("serial", .rule(serialRule), summary: "The device file of a serial port."),
      OptionField("ble", .bluetoothAddress, summary: "The board's Bluetooth address."),
      .text("ble_name", maximum: 248, summary: "The name that the board advertises, instead of its address."),
      .list(
        "capture", of: .rawText(1...1000), count: 1...50,
        summary: "A program and its arguments, whose output is read."),
      .integer(
        "baud", 300...4_000_000, default: 115_200, summary: "The speed of a serial port, in bits per second."),
      .boolean(
        "resets", default: false,
        summary:
          "The board restarts whenever its serial port is opened; otherwise only when it is plugged in."),
      .duration(
        "boot", .zero ... .seconds(30),
        summary: "What it takes to restart, before it is spoken to; 2s if not written and it `resets`."),
      OptionField(
        "service", .shapes([.choice(["nus", "hm10"]), .object(serviceSchema)]), .defaulted(.text("nus")),
        summary: "The Bluetooth service for bytes: Nordic UART, HM-10, or one of your own."),
      .choice(
        "session", ["held", "polled", "on_demand"],
        summary: "Connected all the time, every so often, or for a command only; each kind has its default."),
      .duration(
        "poll", .seconds(1) ... .seconds(86_400),
        summary: "How often a polled board is asked; 10s if not written."),
      .duration(
        "connect_timeout", .milliseconds(500) ... .seconds(60), default: .seconds(10),
        summary: "How long one attempt to connect may take."),
    ],
    alternatives: [.init(linkTargets, isRequired: true)])

  private static let serviceSchema = OptionSchema([
    OptionField("service", .rule(.bluetoothUUID), .required, summary: "Its UUID."),
    OptionField("write", .rule(.bluetoothUUID), .required, summary: "The characteristic that is written to."),
    OptionField(
      "notify", .rule(.bluetoothUUID), .required, summary: "The characteristic by which the board speaks."),
  ])

  private static let filterFields: [OptionField] = [
    .number(
      "minimum_change", 0...1e12,
      summary: "A number that differs by less from the last one published is held back."),
    .duration(
      "minimum_interval", .zero ... .seconds(86_400),
      summary:
        "The least time between two messages about one property; the newest value follows when it is over."),
  ]

  private static let filtersSchema = OptionSchema(
    filterFields + [
      OptionField(
        "properties", .map(.object(OptionSchema(filterFields)), count: 0...100),
        summary: "The same for single properties, by their keys.")
    ])

  /// Of a path that is relative to the configuration's folder nobody would find the port.
  private static let serialRule = OptionRule(
    "path of a device", expectation: "the path of a serial port such as /dev/serial/by-id/usb-…"
  ) { text in
    guard text.hasPrefix("/") else {
      return .refused(suggestion: text.utf8.contains(UInt8(ascii: "/")) ? nil : "/dev/\(text)")
    }
    return BoardPlace(text) == nil || text.unicodeScalars.contains(where: \.isFormatting)
      ? .refused() : .accepted(.text(text))
  }

  private static let iconRule = OptionRule("icon", expectation: "an icon such as mdi:door") { text in
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isIcon =
      parts.count == 2 && text.utf8.count <= 100
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
              UInt8(ascii: "-"), UInt8(ascii: "_"):
              true
            default: false
            }
          }
      }
    return isIcon ? .accepted(.text(text)) : .refused()
  }
}
