import DeviceModel
import Testing

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
        .map { .init(key: $0, at: optionOrigin, value: LocatedValue(.scalar($1), at: optionOrigin)) }),
      at: optionOrigin)
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
