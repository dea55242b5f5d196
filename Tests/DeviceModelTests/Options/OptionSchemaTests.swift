import DeviceModel
import Testing

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
    #expect(options.location(of: "slots") == optionOrigin)
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
    let options = schema.check(nil, path: "devices[0].options", location: optionOrigin, problems: &problems)
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
