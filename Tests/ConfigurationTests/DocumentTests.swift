import Configuration
import DeviceModel
import Foundation
import Testing

/// Mappings in files of their own, and those that extend others.
struct `A mapping in a file of its own` {
  private static let inner = OptionSchema([
    OptionField("extends", .path, summary: ""), .text("name", summary: ""),
    OptionField(
      "parts", .map(.object(OptionSchema([.integer("size", 0...9, summary: "")])), count: 0...9), summary: ""),
    OptionField("words", .table(.text(1...20), count: 0...3), summary: ""),
    .list("names", of: .text(1...20), summary: ""),
  ])

  private static let kind = Kind(
    name: "box", summary: "",
    options: OptionSchema([OptionField("inner", .document(inner), .required, summary: "")]),
    links: [LinkRequirement(transports: LinkRequirement.Transport.allCases)],
    linksOfDevice: { options in
      let isWired = options.object("inner")?.text("name") == "wired"
      return [LinkRequirement(transports: isWired ? [.serial] : [.tcp], session: .onDemand)]
    }
  ) { _, _ in nil }

  /// The configuration's only device, and all that is wrong, with DIR for the directory.
  private func load(_ files: [String: String]) throws -> (device: Configuration.Device?, problems: [String]) {
    var device: Configuration.Device?
    var lines: [String] = []
    try withDirectory { directory in
      for (name, text) in files {
        let file = directory.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.write(text)
      }
      let (configuration, problems) = Configuration.load(
        path: directory.appending(path: "c.yaml").path, kinds: [Self.kind], environment: { _ in nil })
      device = configuration?.devices.first
      lines = problems.map { $0.description.replacing(directory.path, with: "DIR") }
    }
    return (device, lines)
  }

  private static func box(_ inner: String, link: String = "tcp: h:1") -> String {
    "devices: [ { name: A, kind: box, link: { \(link) }, options: { inner: \(inner) } } ]"
  }

  @Test func `counts like one that is written in place`() throws {
    let there = try load(["c.yaml": Self.box("sub/a.yaml"), "sub/a.yaml": "name: x\nwords: { On!: y }\n"])
    let here = try load(["c.yaml": Self.box("{ name: x, words: { On!: y } }")])
    #expect(there.problems == [] && here.problems == [])
    #expect(there.device?.options == here.device?.options)
    let words = try #require(there.device?.options.object("inner")?.map("words"))
    #expect(words.map(\.name) == ["On!"] && words.map(\.location.line) == [2])
  }

  @Test func `has its mistakes in its own lines`() throws {
    let made = try load([
      "c.yaml": Self.box("sub/a.yaml"), "sub/a.yaml": "name: x\nnmae: y\nparts: { p: { size: 10 } }\n",
    ])
    #expect(
      made.problems == [
        "DIR/sub/a.yaml:2:1: devices[0].options.inner.nmae: unknown key 'nmae'; expected one of extends, name, parts, words, names; did you mean 'name'?",
        "DIR/sub/a.yaml:3:21: devices[0].options.inner.parts.p.size: '10': out of range; expected an integer from 0 to 9",
      ])
  }

  @Test func `takes what another says, key by key`() throws {
    let made = try load([
      "c.yaml": Self.box("sub/a.yaml"),
      "sub/a.yaml": "extends: ../b.yaml\nparts: { p: { size: 2 }, q: ~, s: { size: 4 } }\nnames: [z]\n",
      "b.yaml": "extends: d.yaml\nname: b\nparts: { q: { size: 1 }, p: { size: 1 }, r: { size: 3 } }\n",
      "d.yaml": "name: d\nnames: [x, y]\nwords: { a: b }\n",
    ])
    #expect(made.problems == [])
    let inner = try #require(made.device?.options.object("inner"))
    #expect(inner.text("name") == "b" && inner.texts("names") == ["z"])
    #expect(inner.map("words")?.map(\.name) == ["a"])
    let parts = try #require(inner.map("parts"))
    #expect(parts.map(\.name) == ["p", "r", "s"])
    let sizes = parts.compactMap {
      if case .object(let part) = $0.value { part.integer("size") } else { nil }
    }
    #expect(sizes == [2, 3, 4])
    #expect(inner.isWritten("extends") == false)
  }

  @Test func `extends another from within the configuration`() throws {
    let made = try load([
      "c.yaml": Self.box("{ extends: b.yaml, name: x }"), "b.yaml": "name: b\nnames: [n]\n",
    ])
    #expect(made.problems == [])
    #expect(made.device?.options.object("inner")?.texts("names") == ["n"])
  }

  @Test func `decides about the links of its device`() throws {
    let wired = try load(["c.yaml": Self.box("{ name: wired }", link: "serial: /dev/null")])
    #expect(wired.problems == [] && wired.device?.links.first?.session == .onDemand)
    let wrong = try load(["c.yaml": Self.box("{ name: wired }")])
    #expect(
      wrong.problems.count == 1
        && wrong.problems[0].contains("is not reached by 'tcp'; expected one of serial"))
  }

  @Test(arguments: [
    (
      "a.yaml", ["a.yaml": "extends: a.yaml\n"], "DIR/a.yaml:1:10: it extends itself: DIR/a.yaml → DIR/a.yaml"
    ),
    ("a.yaml", ["a.yaml": "extends: missing.yaml\n"], "DIR/a.yaml:1:10: 'DIR/missing.yaml' cannot be read"),
    ("a.yaml", ["a.yaml": "extends: []\n"], "DIR/a.yaml:1:10: 'extends' names no file"),
    ("a.yaml", ["a.yaml": "extends: b.yaml\n", "b.yaml": "- 1\n"], "DIR/b.yaml:1:1: no mapping is written"),
    ("a.yaml", ["a.yaml": "# nothing\n"], "DIR/a.yaml: no mapping is written"),
    ("a.yaml", ["a.yaml": "name: [\n"], "DIR/a.yaml:"),
    ("missing.yaml", [:], "DIR/c.yaml:1:72: 'DIR/missing.yaml' cannot be read: No such file"),
    (".", [:], "is not a regular file"), ("[]", [:], "found a list"), ("~", [:], "no value"),
  ])
  func `that cannot be had is told with the place that names it`(
    inner: String, files: [String: String], words: String
  ) throws {
    let made = try load(files.merging(["c.yaml": Self.box(inner)]) { $1 })
    #expect(made.device == nil)
    #expect(made.problems.contains { $0.contains(words) }, "\(made.problems)")
  }

  @Test func `follows others only so far`() throws {
    var files = ["c.yaml": Self.box("0.yaml")]
    for number in 0..<12 { files["\(number).yaml"] = "extends: \(number + 1).yaml\n" }
    #expect(try load(files).problems == ["DIR/7.yaml:1:10: more than 8 files extend each other"])
  }
}
