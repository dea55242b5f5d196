import Adapters
import Configuration
import DeviceModel
import Foundation
import TestSupport
import Testing

@testable import Bridge
@testable import sketch2mqtt

/// The page about profiles, and the profiles among the examples.
struct ProfilesPageTests {
  static let folder = Program.packageRoot.appending(path: "examples/profiles")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  @Test func `its table is that of the code, key by key`() throws {
    let file = DocumentationTests.pages.appending(path: "Profiles.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    let table = Profile.schema.markdownTable
    if ProcessInfo.processInfo.environment["RENDER_PAGES"] != nil {
      let end = try #require(text.range(of: "\n## Keys\n"))
      let rest = text[end.upperBound...]
      let opening = rest.range(of: "\n| key |").map { rest[..<$0.lowerBound] } ?? rest
      text = text[..<end.upperBound] + opening.trimmingCharacters(in: .newlines) + "\n\n" + table
      text = text.replacing("\n## Keys\nA dot", with: "\n## Keys\n\nA dot")
      try Data(text.utf8).write(to: file)
    }
    #expect(text.hasSuffix("\n\n" + table), "`make pages` writes it anew")
  }

  @Test func `it names each example, form of a message and way of cutting`() throws {
    let text = try String(
      contentsOf: DocumentationTests.pages.appending(path: "Profiles.md"), encoding: .utf8)
    #expect(Self.names.count >= 13)
    for name in Self.names { #expect(text.contains("`\(name)`"), "\(name)") }
    for alternatives in Profile.schema.alternativesInside {
      for name in alternatives.names { #expect(text.contains("`\(name)`"), "\(name)") }
    }
  }

  /// What `check` says to an example and its lines is kept beside it; `make pages` writes it anew.
  @Test(arguments: names)
  func `an example says what is kept beside it`(name: String) async throws {
    let samples = Self.folder.appending(path: "\(name).txt")
    var line = ["check", "--profile", "\(name).yaml"]
    if FileManager.default.fileExists(atPath: samples.path) { line += ["--sample-file", "\(name).txt"] }
    let result = try await Program.run(Program.sketch2mqtt, line, environment: [:], directory: Self.folder)
    #expect(result.errors == "")
    #expect(result.status == 0)
    let file = Self.folder.appending(path: "\(name).check")
    if ProcessInfo.processInfo.environment["RENDER_PAGES"] != nil {
      try Data(result.output.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == result.output)
  }

  @Test func `lines come from the command line, a file or standard input`() async throws {
    func run(_ line: [String], input: String = "") async throws -> ProgramResult {
      let words = ([Program.sketch2mqtt] + line).map { "'\($0)'" }.joined(separator: " ")
      return try await Program.run(
        "/bin/sh", ["-c", "printf '\(input)' | \(words)"], environment: [:], directory: Self.folder)
    }
    let good = try await run(["check", "--profile", "thermometer.yaml", "--sample", "t=1,h=2\nt=3,h=4"])
    #expect(good.status == 0 && good.errors == "")
    #expect(good.output.contains(#"publishes {"temperature":1,"humidity":2}"#))
    #expect(good.output.contains(#"publishes {"temperature":3,"humidity":4}"#))
    let piped = try await run(
      ["check", "--profile", "thermometer.yaml", "--sample-file", "-"], input: #"t=5,h=6\n"#)
    #expect(piped.status == 0 && piped.output.contains(#"{"temperature":5,"humidity":6}"#))
    let bytes = try await run(["check", "--profile", "thermometer.yaml", "--sample", "0x74 3D 37 0A"])
    #expect(bytes.status == 0 && bytes.output.contains(#"{"temperature":7}"#))

    let bad = try await run(["check", "--profile", "thermometer.yaml", "--sample", "t=1\nhello"])
    #expect(bad.status == 1 && bad.errors.contains("1 of 2 samples not understood"))
    #expect(bad.output.contains("not understood: 'hello' is no message of the profile"))
    let half = try await run(["check", "--profile", "binary-record.yaml", "--sample", "0xAA 55 01"])
    #expect(half.status == 1)
    let missing = try await run(["check", "--profile", "thermometer.yaml", "--sample-file", "missing.txt"])
    #expect(missing.status == 1 && missing.errors.contains("missing.txt"))
  }

  @Test func `mistakes have the file in which they are, also behind extends`() async throws {
    let directory = try TestSupport.TemporaryDirectory()
    func check(_ file: String) async throws -> ProgramResult {
      try await Program.run(
        Program.sketch2mqtt, ["check", "--profile", file], environment: [:],
        directory: URL(filePath: directory.path))
    }
    try directory.write("properties:\n  t: { kind: buton, set: x }\n", to: "base.yaml")
    try directory.write("extends: base.yaml\nsilenc: 1m\n", to: "own.yaml")
    let both = try await check("own.yaml")
    #expect(both.status == 78 && both.output == "")
    #expect(both.errors.contains("base.yaml:2:14: properties.t.kind: 'buton' is not valid"))
    #expect(both.errors.contains("own.yaml:2:1: silenc: unknown key 'silenc'"))
    #expect(both.errors.hasSuffix("sketch2mqtt: own.yaml: 2 mistakes\n"))

    try directory.write("extends: b.yaml\n", to: "a.yaml")
    try directory.write("extends: a.yaml\n", to: "b.yaml")
    let circle = try await check("a.yaml")
    #expect(circle.status == 78)
    #expect(circle.errors.contains("b.yaml:1:10: it extends itself: a.yaml → b.yaml → a.yaml"))

    try directory.write(
      "messages: { r: { csv: [t] } }\nproperties:\n  t: { kind: sensor, class: temperature, unit: C }\n",
      to: "unit.yaml")
    let unit = try await check("unit.yaml")
    #expect(unit.status == 78)
    #expect(
      unit.errors.contains("unit.yaml:3:48: properties.t.unit: Home Assistant: the unit 'C' does not fit"))

    #expect(try await check("none.yaml").errors.hasPrefix("none.yaml: cannot be read: "))
    try directory.write("- a\n", to: "list.yaml")
    #expect(try await check("list.yaml").errors.contains("list.yaml:1:1: no mapping is written"))
  }

  @Test func `a configuration finds a profile beside it, and its mistakes`() async throws {
    let directory = try TestSupport.TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory("boards"), withIntermediateDirectories: true)
    try directory.write(
      """
      devices:
        - { name: A, kind: profile, link: { udp: 192.0.2.1:1 }, options: { profile: boards/a.yaml } }
      """, to: "config.yaml")
    func check() async throws -> ProgramResult {
      try await Program.run(
        Program.sketch2mqtt, ["check", "--config", "config.yaml"], environment: ["HOME": directory.path],
        directory: URL(filePath: directory.path))
    }
    #expect(try await check().errors.contains("config.yaml:2:79: 'boards/a.yaml' cannot be read"))
    try directory.write("properties: { a: { kind: button, set: x } }\n", to: "boards/a.yaml")
    let good = try await check()
    #expect(good.status == 0 && good.errors == "", "\(good.errors)")
    try directory.write(
      "link: { transports: [tcp] }\nproperties: { a: { kind: button, st: x } }\n", to: "boards/a.yaml")
    let bad = try await check()
    #expect(bad.status == 78)
    #expect(
      bad.errors.contains("boards/a.yaml:2:34: devices[0].options.profile.properties.a.st: unknown key 'st'"))
    #expect(bad.errors.contains("is not reached by 'udp'"))
  }
}

extension OptionSchema {
  /// Keys of which one has to be chosen, of the messages and the framing.
  fileprivate var alternativesInside: [Alternatives] {
    fields.filter { ["framing", "messages"].contains($0.name) }.flatMap { Self.alternatives(in: $0.type) }
  }

  private static func alternatives(in type: OptionType) -> [Alternatives] {
    switch type {
    case .object(let schema): schema.alternatives
    case .map(let element, _): alternatives(in: element)
    case .shapes(let types): types.flatMap { alternatives(in: $0) }
    default: []
    }
  }
}
