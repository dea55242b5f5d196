public import DeviceModel

extension Configuration {
  /// All keys of the file but the options of the kinds; the reference page is rendered from it.
  public static let schema = OptionSchema([
    .object("mqtt", mqttSchema, summary: "The broker, and what the bridge is called there."),
    .object("homeassistant", homeAssistantSchema, summary: "How devices are announced to Home Assistant."),
    .object("bluetooth", bluetoothSchema, summary: "The radio, where boards are reached by Bluetooth LE."),
    .choice(
      "output", Output.allCases.map(\.rawValue), default: Output.json.rawValue,
      summary: "State as one JSON object for a device, as bare values on a topic for each property, or both."),
    OptionField(
      "accept", .shapes([.choice(["off", "all"]), .list(.rule(.boardPlace), count: 0...200)]),
      .defaulted(.text("off")),
      summary:
        "Self-describing boards that become devices without being listed: none; all that announce themselves by"
        + " Bluetooth; or those at these Bluetooth addresses, hosts with ports, and serial ports."
    ),
    .choice(
      "log_level", LogLevel.allCases.map(\.rawValue), default: LogLevel.info.rawValue,
      summary: "The least important messages that are logged."),
    .list(
      "devices", of: .object(deviceSchema), count: 0...500,
      summary: "The boards."),
  ])

  private static let mqttSchema = OptionSchema(
    [
      OptionField(
        "server", .rule(BrokerAddress.rule),
        summary: "The broker, `mqtt://localhost:1883` if none is named; `mqtts://` for TLS."),
      .list(
        "servers", of: .rule(BrokerAddress.rule), count: 1...10,
        summary: "Several brokers instead, tried in this order."),
      .text("username", summary: "The user at the broker."),
      .secret("password", 1...1000, summary: "Best as `!file` or `!env`."),
      OptionField(
        "ca", .path, summary: "Who signs the broker's certificate (PEM), instead of the system's authorities."
      ),
      OptionField("certificate", .path, summary: "The bridge's own certificate (PEM); with `key`."),
      OptionField("key", .path, summary: "The key of that certificate (PEM)."),
      OptionField(
        "base_topic", .rule(.topic), .defaulted(.text("sketch2mqtt")), summary: "What all topics begin with."),
      OptionField(
        "bridge", .rule(slugRule), .defaulted(.text("main")),
        summary: "The bridge's name, if several share the base topic."),
      .text(
        "client_id", maximum: 128,
        summary: "The name of the connection; otherwise made of the bridge's name and the machine."),
      .choice(
        "version", Broker.Version.allCases.map(\.rawValue),
        summary: "Of MQTT; if not written, 5 with a step down to 3.1.1 if the broker wants it."),
      .duration(
        "keep_alive", .seconds(5) ... .seconds(3600), default: .seconds(30),
        summary: "How often a silent connection is proved."),
      .integer(
        "queue", 10...100_000, default: 1000,
        summary: "Messages that may wait to be sent; beyond it only the newest state of each topic is kept."),
    ],
    alternatives: [.init(["server", "servers"], isRequired: false)])

  private static let homeAssistantSchema = OptionSchema([
    .choice(
      "discovery", HomeAssistant.Discovery.allCases.map(\.rawValue),
      default: HomeAssistant.Discovery.device.rawValue,
      summary: "One message for each device, one for each entity, or none."),
    OptionField(
      "prefix", .rule(.topic), .defaulted(.text("homeassistant")),
      summary: "What discovery topics begin with."),
    OptionField(
      "status_topic", .rule(.topic),
      summary:
        "Where Home Assistant says that it has started; `homeassistant/status` if not written, whatever the prefix."
    ),
  ])

  private static let bluetoothSchema = OptionSchema([
    OptionField(
      "adapter", .rule(adapterRule),
      summary: "The radio by name (`hci0`) or address; otherwise the first one."),
    .text(
      "bus", maximum: 1000, summary: "The address of the D-Bus on which BlueZ is; otherwise the system's."),
  ])

  static let slugRule = OptionRule(
    "name", expectation: "1 to \(Slug.maximumLength) of the characters a to z, 0 to 9 and _"
  ) { text in
    guard Slug(exactly: text) == nil else { return .accepted(.text(text)) }
    return .refused(suggestion: Slug(of: text)?.text)
  }

  private static let adapterRule = OptionRule(
    "adapter", expectation: "an adapter such as hci0, or its address"
  ) {
    text in
    let number = text.dropFirst(3).utf8
    let isName =
      text.hasPrefix("hci") && (1...3).contains(number.count)
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isName || BluetoothAddress(text) != nil ? .accepted(.text(text)) : .refused()
  }
}
