import DeviceModel

extension ProfileSchema {
  static let exchangeFields: [OptionField] = [
    OptionField("send", texts, summary: "Text, or several one after the other; `{value}` is the value."),
    OptionField(
      "hex", texts, summary: "The same as hexadecimal digits; `{value:u8}` is the value as a byte."),
    .text(
      "expect", maximum: 64,
      summary: "The message that answers; for `set` also `value`: the property has the value then."),
    .text("refused_by", maximum: 64, summary: "The message by which the board says no."),
    .duration(
      "within", .milliseconds(50) ... .seconds(60), default: .seconds(2),
      summary: "How long to wait for the answer."),
  ]

  static let sendAlternatives = OptionSchema.Alternatives(["send", "hex"], isRequired: false)

  static let exchange = OptionSchema(
    exchangeFields, alternatives: [.init(["send", "hex"], isRequired: true)])

  static let command = OptionSchema(
    exchangeFields + [
      OptionField(
        "cases",
        .table(
          .shapes([.rawText(1...500), .list(.rawText(1...500), count: 1...16), .object(hexTemplate)]),
          count: 1...100),
        summary: "What is sent for single words instead: `ON`, `OFF`, `LOCK`, `OPEN`, an option.")
    ], alternatives: [sendAlternatives])

  static let hexTemplate = OptionSchema([
    OptionField("hex", texts, .required, summary: "As hexadecimal digits.")
  ])

  static let commands = OptionType.shapes([
    .rawText(1...500), .object(command), .list(.rawText(1...500), count: 1...16),
  ])

  static let poll = OptionSchema(
    exchangeFields + [
      .duration(
        "every", .milliseconds(100) ... .seconds(86_400), default: .seconds(30),
        summary: "How often, while connected."),
      .integer(
        "attempts", 1...10, default: 2, summary: "So many unanswered in a row, and the board is away."),
    ], alternatives: [.init(["send", "hex"], isRequired: true)])

  static let sending = OptionSchema([
    OptionField(
      "end", bytes,
      summary: "What is sent behind everything; a line feed where messages are lines, else nothing."),
    .object("checksum", checksum, summary: "What is appended before the end."),
    .duration("pause", .zero ... .seconds(10), default: .zero, summary: "Between two sends."),
  ])
}
