import DeviceModel

extension ProfileSchema {
  static let message = OptionSchema(
    [
      OptionField("starts_with", bytes, summary: "What it begins with; the rest is looked at."),
      OptionField("ends_with", bytes, summary: "What it ends with; likewise."),
      OptionField(
        "pairs",
        .object(
          OptionSchema([
            OptionField("separator", .rawText(1...10), .defaulted(.text(",")), summary: "Between two pairs."),
            OptionField(
              "assign", .rawText(1...10), .defaulted(.text("=")), summary: "Between name and value."),
          ])), summary: "Names and values, as in `t=21.5,h=40`."),
      OptionField(
        "csv",
        .shapes([
          .list(.text(1...64), count: 1...100),
          .object(
            OptionSchema([
              .list(
                "columns", of: .text(1...64), count: 1...100, required: true,
                summary: "Their names; `_` for one that does not matter."),
              OptionField(
                "separator", .rawText(1...10), .defaulted(.text(",")),
                summary: "Between two columns; a space stands for any number of them."),
            ])),
        ]), summary: "Columns, by their names; all of them have to be there."),
      OptionField(
        "regex", .rawText(1...Pattern.longestText),
        summary:
          "A regular expression that the whole message has to be like; its named groups are the values."),
      OptionField(
        "json", .table(.text(1...200), count: 0...100),
        summary:
          "A JSON object: names and where their values are (`main.temp`, `list[0].t`). `{}`: the names are the places."
      ),
      .list(
        "binary", of: .object(binaryField), count: 1...100,
        summary: "A packed record: its fields in their order, without gaps."),
      OptionField("text", .rawText(1...500), summary: "Exactly this, without values."),
      .list(
        "requires", of: .text(1...200), count: 1...50, summary: "Values without which it is another message."),
      OptionField(
        "where", .table(.rawText(0...200), count: 1...20), summary: "Values that have to be these."),
      .text(
        "event", maximum: 100, summary: "The event that is fired when it comes, with its values as facts."),
      .boolean("alive", default: true, summary: "It shows that the board is well."),
    ],
    alternatives: [.init(["pairs", "csv", "regex", "json", "binary", "text"], isRequired: true)])

  static let recordFields: [OptionField] = [
    .text("name", maximum: 64, summary: "Of the value."),
    .choice(
      "type", NumberFormat.words + ["text", "cstring"],
      summary:
        "Of a number: unsigned, signed or floating point, its bits, and `be` for the most significant byte first. Or text; `cstring`: ASCII with a NUL behind it."
    ),
    .integer("size", 1...4096, summary: "Of a text, in bytes; without it, the rest of the message."),
    .integer("skip", 1...4096, summary: "So many bytes do not matter; stands alone."),
    OptionField(
      "bits", .map(.rule(bitRange), count: 1...32),
      summary: "Parts of the number: `3` for the fourth bit from the lowest, `4-6` for three of them."),
  ]

  static let binaryField = OptionSchema(
    recordFields + [
      .list(
        "records", of: .object(OptionSchema(recordFields)), count: 1...50,
        summary: "Fields of a record that is there again and again to the end; the value is a list.")
    ])

  static let bitRange = OptionRule(
    "bits", expectation: "a bit such as 3, or bits such as 4-6, from 0 to 31"
  ) { text in
    BitRange.parse(text) == nil ? .refused() : .accepted(.text(text))
  }
}
