import Configuration
import DeviceModel
import Foundation
import Testing

struct `YAML` {
  @Test(arguments: [
    ("mqtt:\n\tserver: a", "c.yaml:2:1: a tab; expected spaces to indent by"),
    (
      "mqtt:\n  server: a\n  server: b",
      "c.yaml:3:3: the key 'server' is already in line 2; expected every key once"
    ),
    (
      "mqtt: { server: a, server: b }",
      "c.yaml:1:20: the key 'server' is already in line 1; expected every key once"
    ),
    ("output: json\n---\noutput: both", "c.yaml:2:1: a second document; expected one document"),
    ("devices:\n  - name: @home", "c.yaml:2:11: text cannot begin with '@'; expected quotes around it"),
    ("devices:\n  - name: %x", "c.yaml:2:11: text cannot begin with '%'; expected quotes around it"),
    (
      "devices:\n  - name: Pet: door",
      "c.yaml:2:14: mapping values are not allowed in this context; expected quotes around text that contains ': '"
    ),
    (
      "mqtt: {\n  server: a\n",
      "c.yaml:3:1: did not find expected ',' or '}' while parsing a flow mapping which begins in line 1"
    ),
    (
      "mqtt:\n  server: \"a\n",
      "c.yaml:3:1: found unexpected end of stream while scanning a quoted scalar which begins in line 2"
    ),
    (
      "mqtt:\n   server: a\n  version: 5",
      "c.yaml:3:3: did not find expected key while parsing a block mapping which begins in line 1"
    ),
    ("? [a]\n: b", "c.yaml:1:3: not valid as a key; expected text"),
    ("? {a: b}\n: c", "c.yaml:1:3: not valid as a key; expected text"),
    ("~: a\nmqtt:", nil),
    ("mqtt: { : a }", "c.yaml:1:9: did not find expected node content while parsing a flow node"),
    ("? \n: a\nmqtt:", "c.yaml:1:2: not valid as a key; expected text"),
    ("!env SECRET : a\nmqtt:", "c.yaml:1:1: not valid as a key; expected text"),
    ("output: *json", "c.yaml:1:9: no anchor 'json' before this alias"),
    ("mqtt: &m\n  server: *m", "c.yaml:2:11: no anchor 'm' before this alias"),
    ("output: !foo json", "c.yaml:1:9: unknown tag '!foo'; expected !file or !env"),
    ("output: !flie json", "c.yaml:1:9: unknown tag '!flie'; expected !file or !env; did you mean '!file'?"),
    ("devices: !env []", "c.yaml:1:10: '!env' before a list or mapping; expected text after it"),
    ("mqtt: { <<: a }", "c.yaml:1:9: '<<' cannot merge this; expected a mapping, or a list of mappings"),
    ("output: json\u{1}", "c.yaml:1:13: the control character 0x01; expected text"),
    ("output: json\u{0}", "c.yaml:1:13: the control character 0x00; expected text"),
  ])
  func `a text that cannot be read is refused with its place`(text: String, problem: String?) {
    let found = read(text, environment: ["SECRET": "geheim"]).problems.map(\.description)
    if let problem { #expect(found.first == problem) }
    #expect(!found.joined().contains("geheim"))
    #expect(!found.isEmpty)
  }

  @Test(
    arguments: [
      (
        [0x6F, 0x75, 0x74, 0xFC, 0x3A],
        "c.yaml:1:4: the byte 0xFC is not UTF-8; expected the file saved as UTF-8"
      ),
      ([0x0A, 0xC3, 0xBC, 0x80], "c.yaml:2:2: the byte 0x80 is not UTF-8; expected the file saved as UTF-8"),
      ([0xFF, 0xFE, 0x61, 0x00], "c.yaml:1:1: the byte 0xFF is not UTF-8; expected the file saved as UTF-8"),
      ([0x61, 0xE2, 0x82], "c.yaml:1:2: the byte 0xE2 is not UTF-8; expected the file saved as UTF-8"),
      ([0xED, 0xA0, 0x80], "c.yaml:1:1: the byte 0xED is not UTF-8; expected the file saved as UTF-8"),
      ([0xC0, 0xAF], "c.yaml:1:1: the byte 0xC0 is not UTF-8; expected the file saved as UTF-8"),
    ] as [([UInt8], String)])
  func `a byte that is not UTF-8 is named with its place`(bytes: [UInt8], problem: String) {
    #expect(Configuration.read(bytes, file: "c.yaml", kinds: kinds).problems.map(\.description) == [problem])
  }

  @Test func `a byte order mark, Windows line ends and umlauts are fine`() throws {
    let text = "\u{FEFF}devices:\r\n  - name: Tür\r\n    kind: beacon\r\n"
    #expect(try configuration(text).devices.map(\.name) == ["Tür"])
    #expect(problems("devices:\r\n  - nmae: 1\r\n    kind: beacon").hasPrefix("c.yaml:2:5: devices[0].nmae"))
    // Columns count characters.
    #expect(problems("devices: [{ name: Tür, x: 1, kind: beacon }]").hasPrefix("c.yaml:1:24: devices[0].x"))
  }

  @Test func `scalars keep their text`() throws {
    let text = """
      devices:
        - { name: 0x10, kind: garage_door, link: { ble: 11:22:33:44:55:66 }, options: { persons: [{ name: yes, pin: 01234 }] } }
        - { name: 1e3, kind: garage_door, link: { ble_name: 12:30:45 }, options: { persons: [{ name: off, pin: 1_000 }] } }
        - { name: 2001-01-01, kind: beacon }
        - { name: !!str null, kind: beacon }
        - { name: "~", id: tilde, kind: beacon }
      """
    let devices = try configuration(text).devices
    #expect(devices.map(\.name) == ["0x10", "1e3", "2001-01-01", "null", "~"])
    #expect(devices[0].options.objects("persons")[0].secret("pin")?.reveal() == "01234")
    #expect(devices[0].options.objects("persons")[0].text("name") == "yes")
    #expect(devices[1].options.objects("persons")[0].secret("pin")?.reveal() == "1_000")
    #expect(devices[1].links[0].target == .ble(.name("12:30:45"), .nus))
    #expect(devices[0].links[0].target == .ble(.address(BluetoothAddress(bits: 0x1122_3344_5566)), .nus))
  }

  @Test func `an alias stands for what its anchor says`() throws {
    let text = """
      devices:
        - { name: A, kind: &k beacon, filters: &f { minimum_change: 2 } }
        - { name: B, kind: *k, filters: *f }
        - { name: C, kind: *k, filters: { <<: *f, minimum_interval: 1s } }
        - { name: D, kind: *k, filters: { minimum_change: 1, <<: [*f, { minimum_interval: 2s }] } }
      """
    let filters = try configuration(text).devices.map { $0.filters["x"] }
    #expect(filters.map(\.minimumChange) == [2, 2, 2, 1])
    #expect(filters.map(\.minimumInterval) == [nil, nil, .seconds(1), .seconds(2)])
  }

  @Test func `a mistake behind an alias is reported where it is written`() {
    #expect(
      problems("devices:\n  - { name: A, kind: &k becon }\n  - { name: B, kind: *k }").split(separator: "\n")
        .count == 2)
    #expect(
      problems("devices:\n  - { name: A, kind: &k becon }\n  - { name: B, kind: *k }").hasPrefix(
        "c.yaml:2:22"))
  }

  @Test func `aliases of aliases are bounded`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...20 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(problems(text).contains("aliases add more than 10000 values; expected fewer aliases"))
    var merges = "a0: &a0 {" + (0..<100).map { "k\($0): 1" }.joined(separator: ", ") + "}\n"
    for level in 1...200 { merges += "b\(level): { <<: *a0 }\n" }
    #expect(problems(merges).contains("aliases add more than 10000 values; expected fewer aliases"))
  }

  @Test func `what is cheap to write and dear to read is refused`() {
    let many = "mqtt: [" + String(repeating: "a,", count: 200_000) + "]"
    #expect(problems(many).contains("more than 100000 values"))
    let directives = (0..<50_000).map { "%TAG !a\($0)! x" }.joined(separator: "\n")
    #expect(problems(directives) == "c.yaml:1:1: a %TAG directive; expected none")
    let anchors = (0..<40_000).map { "a\($0): &a\($0) *b\($0)" }.joined(separator: "\n")
    #expect(problems(anchors).contains("c.yaml:1:"))
    let keys = (0..<30_000).map { "k\($0):" }.joined(separator: "\n")
    #expect(problems(keys).contains("29900 problems more"))
    let spaces = String(repeating: " ", count: 1_000_000)
    #expect(!problems("mqtt:\(spaces)[").isEmpty)
    #expect(!problems("mqtt: \"" + spaces).isEmpty)
    #expect(!problems(String(repeating: "- ", count: 500_000)).isEmpty)
    #expect(!problems(String(repeating: "? ", count: 500_000)).isEmpty)
    #expect(!problems(String(repeating: "a: {", count: 250_000)).isEmpty)
    #expect(!problems(String(repeating: "x\n", count: 500_000)).isEmpty)
  }

  @Test func `depth is bounded`() {
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
      let text = "x: " + String(repeating: open, count: 100_000) + String(repeating: close, count: 100_000)
      #expect(problems(text).contains("nested too deeply; expected at most 32 levels"))
    }
    let block = (0..<500).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    #expect(problems(block).contains("nested too deeply; expected at most 32 levels"))
  }
}

struct `Random text` {
  @Test func `mutated and random text is read or refused, and secrets stay secret`() throws {
    var random = SystemRandomNumberGenerator()
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../examples/sketch2mqtt.yaml")
    let example = Array(try String(contentsOf: file, encoding: .utf8).replacing("# ", with: "").utf8)
    let small = Array(
      """
      mqtt: { servers: [a, &x b, *x], username: me, password: !env S, <<: { queue: 10 } }
      devices:
        - name: "A"
          kind: garage_door
          link: { ble: 11:22:33:44:55:66, session: polled, poll: 10s }
          options: { persons: [{ name: Anna, pin: !env S }] }
        - { name: 'B', kind: tv_volume, links: { board: { ble_name: x } } }
      """.utf8)
    let alphabet =
      Array("{}[]:,-?&*!|>'\"%@`#\n\t \\~<=abc019_./é".utf8) + [
        0, 0xFF, 0xEF, 0xBB, 0xBF, 0x85, 0xE2, 0x80, 0xA8,
      ]
    for round in 0..<1500 {
      var bytes = round.isMultiple(of: 10) ? example : round.isMultiple(of: 3) ? [] : small
      for _ in 0..<(bytes.isEmpty ? 60 : Int.random(in: 1...6, using: &random)) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0...2, using: &random) {
        case 0 where place < bytes.count: bytes[place] = byte
        case 1 where place < bytes.count: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
      }
      let (configuration, problems) = Configuration.read(
        bytes, file: "c.yaml", kinds: kinds, environment: { $0 == "S" ? "g3h31" : nil }, isWorldReadable: true
      )
      let isWrong = problems.contains { $0.severity == .error }
      #expect((configuration == nil) == isWrong)
      let shown = problems.map(\.description).joined() + (configuration.map { "\($0)" } ?? "")
      #expect(!shown.contains("g3h31"), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
