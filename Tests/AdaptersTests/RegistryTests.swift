import DeviceModel
import Foundation
import Testing

@testable import Adapters

struct `The registry of kinds` {
  @Test func `names are slugs, and unique`() {
    let names = Registry.kinds.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(Slug(exactly: name) != nil, "\(name)")
      #expect(Registry.kind(named: name)?.name == name)
    }
    #expect(Registry.kind(named: "toaster") == nil)
  }

  @Test(arguments: Registry.kinds.map(\.name))
  func `a kind is described in full`(name: String) throws {
    let kind = try #require(Registry.kind(named: name))
    #expect(!kind.summary.isEmpty)
    #expect(Set(kind.links.map(\.role)).count == kind.links.count)
    for link in kind.links { #expect(!link.transports.isEmpty) }
    for field in kind.options.fields { #expect(!field.summary.isEmpty, "\(field.name)") }

    var problems: [ConfigurationProblem] = []
    let options = kind.options.check(LocatedValue(kind.example), path: "options", problems: &problems)
    let made = kind.makeAdapter(options, &problems)
    #expect(problems.isEmpty)
    let adapter = try #require(made)
    #expect(!kind.links.isEmpty || adapter.hearsAdvertisements || !adapter.followedTopics.isEmpty)
    let properties = adapter.description.properties
    #expect(Set(properties.map(\.key)).count == properties.count)
    #expect(properties.count { $0.name == nil } <= 1, "one main entity at most")
    for property in properties {
      #expect(PropertyKey(property.key.text) != nil, "\(property.key)")
      #expect(!property.summary.isEmpty, "\(property.key)")
      #expect(property.name?.isEmpty != true)
    }
  }

  @Test(arguments: Registry.kinds.map(\.name))
  func `a kind has vectors, good ones and bad ones`(name: String) throws {
    let prefix = name.map { $0 == "_" ? "-" : String($0) }.joined()
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(prefix + "-") }
    var bad = 0
    var good = 0
    for file in files {
      for vector in try Vectors.load(file) {
        #expect(vector.text("why")?.isEmpty == false, "\(file)")
        let text = "\(vector)"
        if ["error", "reason", "garbage", "noise", "undecodable"].contains(where: {
          text.contains("\"\($0)\"")
        }) {
          bad += 1
        } else {
          good += 1
        }
      }
    }
    #expect(good > 0)
    #expect(bad > 0)
  }

  @Test func `options make the adapter that they ask for`() throws {
    let plug = try #require(Registry.kind(named: "power_plug"))
    var problems: [ConfigurationProblem] = []
    let options = plug.options.check(LocatedValue(["slots": 3]), path: "options", problems: &problems)
    var talk = Conversation(try #require(plug.makeAdapter(options, &problems)))
    _ = talk.connect()
    #expect(talk.receive([0x53, 0, 0, 0x41] + Array(repeating: 0, count: 3 * 29)).isFinished)

    let uart = try #require(Registry.kind(named: "uart"))
    let lines = uart.options.check(
      LocatedValue(["framing": "line", "encoding": "hex"]), path: "options", problems: &problems)
    talk = Conversation(try #require(uart.makeAdapter(lines, &problems)))
    _ = talk.connect()
    #expect(talk.receive("A\n").contains(.publish("rx", Array("41".utf8))))
    #expect(problems.isEmpty)

    for wrong: Value in [["slots": 0], ["slots": 256], ["slot": 3]] {
      problems = []
      _ = plug.options.check(LocatedValue(wrong), path: "options", problems: &problems)
      #expect(problems.count == 1, "\(wrong)")
    }
  }
}
