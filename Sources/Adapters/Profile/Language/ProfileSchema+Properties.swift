import DeviceModel

extension ProfileSchema {
  static let kinds = [
    "sensor", "enum", "timestamp", "binary_sensor", "switch", "number", "select", "button", "text", "lock",
    "cover",
    "device_tracker", "json",
  ]

  static let property = OptionSchema([
    .choice(
      "kind", kinds, required: true, summary: "What it is in Home Assistant; `json` is on topics only."),
    .text("name", maximum: 100, summary: "What is shown; made of the key if not written."),
    .boolean(
      "main", default: false, summary: "It is what the device is about and shown under the device's name."),
    .text("from", maximum: 200, summary: "The value's name in messages; the key if not written."),
    .text("message", maximum: 64, summary: "The only message it is taken from."),
    .text("unit", maximum: 40, summary: "As Home Assistant writes it: `°C`, `%`, `hPa`."),
    .text("class", maximum: 64, summary: "Home Assistant's device class: `temperature`, `door`, `outlet`."),
    .choice(
      "state_class", ["measurement", "total", "total_increasing"],
      summary: "For statistics; `measurement` for a sensor with a unit."),
    .choice("category", ["config", "diagnostic"], summary: "Where Home Assistant shows it."),
    .text("icon", maximum: 100, summary: "Such as `mdi:door`."),
    .boolean("enabled", default: true, summary: "Home Assistant shows it without being asked."),
    .text("about", maximum: 300, summary: "A sentence for who uses it."),
    OptionField(
      "values", .table(.rawText(0...255), count: 1...100),
      summary: "The board's words, and what is shown for each."),
    OptionField(
      "on", words,
      summary: "The board's words for on; the first is sent. `1`, `on` and `true` if not written."),
    OptionField("off", words, summary: "The board's words for off. `0`, `off` and `false` if not written."),
    OptionField(
      "unknown", words,
      summary: "Words by which the board says that it does not know; `nan` is one of a number."),
    OptionField("suffix", words, summary: "What may stand behind the value, such as a unit."),
    .number("scale", -1e12...1e12, summary: "What the board's number is multiplied by."),
    .number("offset", -1e12...1e12, summary: "What is added then."),
    .integer("precision", 0...9, summary: "Decimals to round to and to show."),
    .number(
      "minimum", -1e15...1e15,
      summary: "Of a sensor: less is a mistake and not taken. Of a number: the least that can be set."),
    .number("maximum", -1e15...1e15, summary: "Likewise."),
    .number("step", 0.001...1e12, summary: "Of a number: the distance of two values; 1 if not written."),
    .integer("length", 1...255, summary: "Of a text, at most."),
    .list(
      "options", of: .rawText(1...255), count: 1...100,
      summary: "The words of an enum or a select; those of `values` if not written."),
    .choice(
      "source_type", ["gps", "router", "bluetooth", "bluetooth_le"],
      summary: "Of a device_tracker; `router` if not written."),
    .boolean(
      "assumed", default: false,
      summary: "What was set is what holds; so it is also without a message that tells it."),
    OptionField("set", commands, summary: "What is sent to set it."),
    OptionField("put", commands, summary: "Of a json property: what is sent for the verb put."),
    OptionField("delete", commands, summary: "Likewise for delete."),
  ])
}
