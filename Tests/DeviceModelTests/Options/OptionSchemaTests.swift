import DeviceModel
import Testing

private let origin = SourceLocation(file: "config.yaml", line: 3, column: 5)

private func check(
  _ schema: OptionSchema, _ value: Value
) -> (options: Options, problems: [String]) {
  var problems: [ConfigurationProblem] = []
  let options = schema.check(LocatedValue(value, at: origin), path: "options", problems: &problems)
  return (options, problems.map(\.description))
}

private func refusal(of type: OptionType, _ value: Value) -> String? {
  let (_, problems) = check(OptionSchema([OptionField("x", type, summary: "")]), ["x": value])
  return problems.isEmpty ? nil : problems.joined(separator: "\n")
}

private func meaning(of type: OptionType, _ value: Value) -> OptionValue? {
  check(OptionSchema([OptionField("x", type, summary: "")]), ["x": value]).options["x"]
}

struct `Option schemas` {
  private let schema = OptionSchema([
    .integer("slots", 1...255, default: 10, summary: "Entries in the table."),
    .text("topic", required: true, summary: "Where to listen."),
    .choice("framing", ["line", "packet"], default: "line", summary: "How messages end."),
    .list(
      "persons",
      of: .object(
        OptionSchema([
          .text("name", required: true, summary: "Shown."),
          .secret("pin", 5...5, required: true, summary: "Five characters."),
        ])), count: 0...2, summary: "Who may open."),
    .object(
      "filters",
      OptionSchema([
        .duration("interval", .zero ... .seconds(60), default: .seconds(1), summary: "Least pause.")
      ]),
      summary: "What is held back."),
  ])

  @Test func `what is written is read by its name and type`() {
    let (options, problems) = check(
      schema,
      [
        "slots": 12, "topic": "a/b", "persons": [["name": "Anna", "pin": "01234"]],
        "filters": ["interval": "50s"],
      ])
    #expect(problems == [])
    #expect(options.integer("slots") == 12)
    #expect(options.text("topic") == "a/b")
    #expect(options.objects("persons").map { $0.text("name") } == ["Anna"])
    #expect(options.objects("persons").map { $0.secret("pin")?.reveal() } == ["01234"])
    #expect(options.object("filters")?.duration("interval") == .seconds(50))
    #expect(options.isWritten("slots"))
    #expect(options.location(of: "slots") == origin)
  }

  @Test func `what is not written has its default`() {
    let (options, problems) = check(schema, ["topic": "a"])
    #expect(problems == [])
    #expect(options.integer("slots") == 10)
    #expect(options.text("framing") == "line")
    #expect(options.object("filters")?.duration("interval") == .seconds(1))
    #expect(options.objects("persons").isEmpty)
    #expect(!options.isWritten("slots"))
  }

  @Test func `an accessor of another type gives nothing`() {
    let (options, _) = check(schema, ["topic": "a"])
    #expect(options.text("slots") == nil)
    #expect(options.integer("topic") == nil)
    #expect(options.integer("nothing") == nil)
  }

  @Test func `every problem is reported`() {
    let (_, problems) = check(
      schema,
      [
        "slots": 256, "slot": 3, "framing": "lines",
        "persons": [["name": "Anna", "pin": "123"], ["pin": "01234", "naem": "Bo"], ["x": 1]],
        "filters": ["interval": 10, "q": 1],
      ])
    #expect(
      problems == [
        "config.yaml:3:5: options.slots: '256': out of range; expected an integer from 1 to 255",
        "config.yaml:3:5: options.slot: unknown key 'slot'; expected one of slots, topic, framing, persons, filters; did you mean 'slots'?",
        "config.yaml:3:5: options.framing: 'lines' is not valid; expected one of line, packet; did you mean 'line'?",
        "config.yaml:3:5: options.persons[0].pin: 3 characters; expected text of 5 characters",
        "config.yaml:3:5: options.persons[1].naem: unknown key 'naem'; expected one of name, pin; did you mean 'name'?",
        "config.yaml:3:5: options.persons: 3 entries; expected a list of at most 2, each a mapping with name, pin",
        "config.yaml:3:5: options.filters.interval: '10': it has no unit; expected a duration such as 500ms, 10s or 5m, from 0s to 1m; did you mean '10s'?",
        "config.yaml:3:5: options.filters.q: unknown key 'q'; expected one of interval",
        "config.yaml:3:5: options.topic: missing; expected text of at most 200 characters",
      ])
  }

  @Test func `no options at all are checked like an empty mapping`() {
    var problems: [ConfigurationProblem] = []
    let options = schema.check(nil, path: "devices[0].options", location: origin, problems: &problems)
    #expect(options.integer("slots") == 10)
    #expect(
      problems.map(\.description) == [
        "config.yaml:3:5: devices[0].options.topic: missing; expected text of at most 200 characters"
      ])
    problems = []
    _ = OptionSchema.empty.check(LocatedValue(.unknown), path: "options", problems: &problems)
    #expect(problems.isEmpty)
  }

  @Test func `a kind without options refuses any`() {
    #expect(
      check(.empty, ["a": 1]).problems == [
        "config.yaml:3:5: options.a: unknown key 'a'; expected no keys here"
      ])
  }

  @Test func `options that are no mapping are refused`() {
    #expect(
      check(schema, [1]).problems == [
        "config.yaml:3:5: options: found a list; expected a mapping with slots, topic, framing, persons, filters"
      ])
  }

  @Test func `of alternatives one is taken`() {
    let link = OptionSchema(
      [OptionField("tcp", .hostPort, summary: ""), OptionField("udp", .hostPort, summary: "")],
      alternatives: [.init(["tcp", "udp"], isRequired: true)])
    #expect(check(link, ["tcp": "plug:230"]).problems == [])
    #expect(check(link, [:]).problems == ["config.yaml:3:5: options: missing; expected one of tcp, udp"])
    #expect(
      check(link, ["tcp": "plug:230", "udp": "plug:230"]).problems == [
        "config.yaml:3:5: options.udp: 'udp' beside 'tcp' (line 3); expected only one of tcp, udp"
      ])
    #expect(
      check(link, ["tpc": "plug:230"]).problems == [
        "config.yaml:3:5: options.tpc: unknown key 'tpc'; expected one of tcp, udp; did you mean 'tcp'?"
      ])
  }

  @Test func `options are equal if they mean the same, wherever they stand`() {
    let here = check(schema, ["topic": "a", "slots": 10]).options
    var problems: [ConfigurationProblem] = []
    let there = schema.check(
      LocatedValue(["slots": 10, "topic": "a"], at: SourceLocation(file: "other.yaml")), path: "x",
      problems: &problems)
    #expect(here == there)
    #expect(here == check(schema, ["topic": "a"]).options)
    #expect(here != check(schema, ["topic": "b"]).options)
  }

  @Test func `a problem of the kind's own names the place of the option`() {
    let options = check(schema, ["topic": "a"]).options
    #expect(
      options.problem("clashes with slots", at: "topic").description
        == "config.yaml:3:5: options.topic: clashes with slots")
  }

  @Test func `a schema is rendered as a table`() {
    #expect(
      schema.markdownTable == """
        | key | value | without it | meaning |
        |---|---|---|---|
        | `slots` | an integer from 1 to 255 | `10` | Entries in the table. |
        | `topic` | text of at most 200 characters | required | Where to listen. |
        | `framing` | `line`, `packet` | `line` | How messages end. |
        | `persons` | list: mapping | – | Who may open. |
        | `persons[].name` | text of at most 200 characters | required | Shown. |
        | `persons[].pin` | text of 5 characters, secret | required | Five characters. |
        | `filters` | mapping | – | What is held back. |
        | `filters.interval` | duration, 0s to 1m | `1s` | Least pause. |

        """)
  }
}

struct `Option types` {
  @Test(arguments: [
    (OptionType.text(1...10), "0123", OptionValue.text("0123")),
    (.text(1...10), "yes", .text("yes")),
    (.text(1...20), "11:22:33:44:55:66", .text("11:22:33:44:55:66")),
    (.rawText(1...10), "a\r\n", .text("a\r\n")),
    (.secret(1...10), "0x10", .secret(Secret("0x10"))),
    (.boolean, "yes", .boolean(true)), (.boolean, "On", .boolean(true)), (.boolean, "TRUE", .boolean(true)),
    (.boolean, "no", .boolean(false)), (.boolean, "off", .boolean(false)),
    (.boolean, "false", .boolean(false)),
    (.integer(-5...5), "-5", .integer(-5)), (.integer(0...5), "0", .integer(0)),
    (.number(0...1), "0.5", .number(0.5)), (.number(0...1000), "1e2", .number(100)),
    (.number(0...1), "1", .number(1)),
    (.duration(.zero ... .seconds(4000)), "500ms", .duration(.milliseconds(500))),
    (.duration(.zero ... .seconds(4000)), "1.5s", .duration(.milliseconds(1500))),
    (.duration(.zero ... .seconds(4000)), "1h", .duration(.seconds(3600))),
    (.choice(["a", "b"]), "b", .text("b")),
    (.path, "ca.pem", .text("ca.pem")), (.path, "/etc/ca.pem", .text("/etc/ca.pem")),
  ])
  func `a text is taken for what its type says`(type: OptionType, text: String, value: OptionValue) {
    #expect(meaning(of: type, .text(text)) == value)
  }

  @Test(arguments: [
    (OptionType.text(1...3), "", "empty"), (.text(1...3), "abcd", "'abcd': 4 characters"),
    (.text(1...30), "a\nb", "'a\u{FFFD}b': it has a line break or another control character"),
    (.text(1...30), "a\0b", "'a\u{FFFD}b': it has a line break or another control character"),
    (.boolean, "ture", "'ture' is not valid"), (.boolean, "1", "'1' is not valid"),
    (.integer(0...9), "010", "'010': it has a leading zero"),
    (.integer(0...99), "0x10", "'0x10' is not valid"),
    (.integer(0...9), "1.0", "'1.0' is not valid"), (.integer(0...9), "+1", "'+1' is not valid"),
    (.integer(0...9), "", "empty"), (.integer(0...9), "-", "'-' is not valid"),
    (.integer(0...9), "99999999999999999999", "'99999999999999999999': out of range"),
    (.integer(0...9), "１", "'１' is not valid"),
    (.number(0...9), "1,5", "'1,5' is not valid"), (.number(0...9), "nan", "'nan' is not valid"),
    (.number(0...9), "0x1p3", "'0x1p3' is not valid"), (.number(0...9), "1e999", "'1e999' is not valid"),
    (.number(0...9), "9.5", "'9.5': out of range"),
    (.duration(.zero ... .seconds(9)), "1 s", "'1 s' is not valid"),
    (.duration(.zero ... .seconds(9)), "-1s", "'-1s' is not valid"),
    (.duration(.zero ... .seconds(9)), "s", "'s' is not valid"),
    (.duration(.zero ... .seconds(9)), "1.s", "'1.s' is not valid"),
    (.duration(.zero ... .seconds(9)), "1d", "'1d' is not valid"),
    (.duration(.zero ... .seconds(9)), "10s", "'10s': out of range"),
    (.duration(.zero ... .seconds(9)), "9999999999s", "'9999999999s' is not valid"),
    (.hostPort, "plug", "'plug' is not valid"), (.hostPort, "plug:0", "'plug:0' is not valid"),
    (.bluetoothAddress, "C0:DE", "'C0:DE' is not valid"),
    (.choice(["json", "values"]), "jsno", "'jsno' is not valid"),
  ])
  func `a text that is something else is refused`(type: OptionType, text: String, message: String) throws {
    let problem = try #require(refusal(of: type, .text(text)))
    #expect(problem.hasPrefix("config.yaml:3:5: options.x: \(message); expected \(type.expectation)"))
  }

  @Test func `a value of another shape is refused`() {
    #expect(
      refusal(of: .text(1...3), [1])
        == "config.yaml:3:5: options.x: found a list; expected text of at most 3 characters")
    #expect(
      refusal(of: .integer(1...3), [:])
        == "config.yaml:3:5: options.x: found a mapping; expected an integer from 1 to 3")
    #expect(refusal(of: .boolean, .unknown) == "config.yaml:3:5: options.x: no value; expected true or false")
    #expect(
      refusal(of: .list(.boolean, count: 1...3), "a")
        == "config.yaml:3:5: options.x: found text; expected a list of 1 to 3, each true or false")
    #expect(
      refusal(of: .list(.boolean, count: 1...3), .unknown)
        == "config.yaml:3:5: options.x: 0 entries; expected a list of 1 to 3, each true or false")
  }

  @Test func `one of several shapes is chosen by what is written`() {
    let type = OptionType.shapes([
      .choice(["nus", "hm10"]), .object(OptionSchema([.text("service", required: true, summary: "")])),
    ])
    #expect(meaning(of: type, "nus") == .text("nus"))
    guard case .object(let options)? = meaning(of: type, ["service": "FFE0"]) else {
      Issue.record("not an object")
      return
    }
    #expect(options.text("service") == "FFE0")
    #expect(
      refusal(of: type, "nuss")
        == "config.yaml:3:5: options.x: 'nuss' is not valid; expected one of nus, hm10; did you mean 'nus'?")
    #expect(
      refusal(of: type, ["servce": "FFE0"])
        == "config.yaml:3:5: options.x.servce: unknown key 'servce'; expected one of service; did you mean 'service'?"
    )
    #expect(
      refusal(of: type, [1])
        == "config.yaml:3:5: options.x: found a list; expected one of nus, hm10, or a mapping with service")
  }

  @Test func `a map has names of the owner's choice`() {
    let type = OptionType.map(.integer(0...9), count: 1...2)
    #expect(refusal(of: type, ["board": 1, "microphone_2": 2]) == nil)
    #expect(
      refusal(of: type, ["My Board": 1])
        == "config.yaml:3:5: options.x: 'My Board' is not valid as a name; expected 1 to 64 of the characters a to z, 0 to 9 and _"
    )
    #expect(
      refusal(of: type, ["board": "x"])
        == "config.yaml:3:5: options.x.board: 'x' is not valid; expected an integer from 0 to 9")
    #expect(
      refusal(of: type, ["a": 1, "b": 1, "c": 1]) == "config.yaml:3:5: options.x: 3 entries; expected 1 to 2")
  }

  @Test func `a rule has a form of its own`() {
    let even = OptionType.rule(
      OptionRule("even number", expectation: "an even number") { text in
        guard let number = Int(text) else { return .refused() }
        return number.isMultiple(of: 2)
          ? .accepted(.integer(number)) : .refused(because: "it is odd", suggestion: "\(number + 1)")
      })
    #expect(meaning(of: even, 4) == .integer(4))
    #expect(
      refusal(of: even, 3)
        == "config.yaml:3:5: options.x: '3': it is odd; expected an even number; did you mean '4'?")
  }

  @Test func `a relative path is relative to the file`() {
    let schema = OptionSchema([OptionField("x", .path, summary: "")])
    var problems: [ConfigurationProblem] = []
    let value = LocatedValue(
      ["x": "certs/ca.pem"], at: SourceLocation(file: "/etc/bridge/config.yaml", line: 1, column: 1))
    #expect(schema.check(value, path: "", problems: &problems).text("x") == "/etc/bridge/certs/ca.pem")
  }

  @Test func `the excerpt of a long text is short`() throws {
    let problem = try #require(refusal(of: .integer(0...1), .text(String(repeating: "x", count: 10_000))))
    #expect(problem.count < 150)
    let (_, problems) = check(.empty, [String(repeating: "\u{1B}[2J", count: 10_000): 1])
    #expect(problems[0].utf8.count < 400)
    #expect(!problems[0].contains("\u{1B}"))
  }
}

struct `Secrets` {
  private let secret = "g3h31m"

  @Test func `a secret is in no description and no message`() {
    let schema = OptionSchema([
      .secret("pin", 1...3, summary: ""), .integer("port", 1...9, summary: ""),
      .choice("mode", ["geheim"], summary: ""),
      OptionField("url", .integer(0...1), summary: ""),
    ])
    let scalar = LocatedValue.Scalar(secret, isSecret: true)
    let value = LocatedValue(
      .mapping(
        [
          ("pin", LocatedValue.Scalar(secret)), ("port", scalar), ("mode", scalar),
          ("url", LocatedValue.Scalar("mqtt://me:\(secret)@host")),
        ]
        .map { .init(key: $0, at: origin, value: LocatedValue(.scalar($1), at: origin)) }), at: origin)
    var problems: [ConfigurationProblem] = []
    let options = schema.check(value, path: "", problems: &problems)
    #expect(problems.count == 4)
    for text in problems.map(\.description) + [
      "\(problems)", "\(options)", "\(scalar)", String(reflecting: scalar),
    ] {
      #expect(!text.contains(secret))
    }
    var dumped = ""
    dump(scalar, to: &dumped)
    #expect(!dumped.contains(secret))
  }

  @Test func `a checked secret shows itself only when asked`() {
    let value = Secret(secret)
    var dumped = ""
    dump([value], to: &dumped)
    #expect(
      !(dumped + "\(value)" + String(reflecting: value) + "\(OptionValue.secret(value))").contains(secret))
    #expect(value.reveal() == secret)
  }
}
