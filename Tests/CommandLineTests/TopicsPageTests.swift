import DeviceModel
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Bridge

/// The page of topics says what the code does, and nothing else.
struct TopicsPageTests {
  private let page: String
  private let topics = Topics(base: "sketch2mqtt", bridge: "main")

  init() throws {
    #expect(LoopThread.started)
    page = try String(
      contentsOf: Program.packageRoot.appending(path: "Sources/sketch2mqtt/sketch2mqtt.docc/Topics.md"),
      encoding: .utf8)
  }

  /// The words in grey that begin a row of the table with these columns.
  private func firstColumn(ofTableWith heading: String) throws -> [String] {
    let table = try #require(page.components(separatedBy: "\n| \(heading) |").dropFirst().first)
    let rows = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .prefix { $0.hasPrefix("| ") }
    return try rows.map { row in
      String(try #require(row.firstMatch(of: /^\| `([^`]+)`/), "\(row)").1)
    }
  }

  @Test func `its reasons are those of the code`() throws {
    #expect(
      try firstColumn(ofTableWith: "reason | meaning") == Rejection.Reason.allCases.map(\.rawValue))
  }

  @Test @Loop func `its requests are those of the code`() throws {
    #expect(
      try firstColumn(ofTableWith: "name | takes | answers")
        == Bridge.requestNames + Bridge.beaconRequestNames + Bridge.bluetoothRequestNames)
  }

  @Test func `its events of the bridge are those of the code`() throws {
    let folder = Program.packageRoot.appending(path: "Sources/Bridge")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    var types: Set<String> = []
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /"event_type"\]?(?:,|:| =) "(\w+)"/) { types.insert(String(match.1)) }
    }
    #expect(types.contains("command_failed"))
    #expect(Set(try firstColumn(ofTableWith: "event | when | facts")) == types)
  }

  @Test func `its topics of the bridge are those of the code`() throws {
    let tables = page.components(separatedBy: "\n| topic | retained | content |")
    #expect(tables.count == 3)
    let written = tables[2].matches(of: /\n\| `([^`]+)` \| (yes|no) \|/).map { String($0.1) }
    #expect(
      written == [
        topics.bridgeState, topics.bridgeInfo, topics.bridgeDevices, topics.bridgeHealth, topics.bridgeLog,
        topics.bridgeEvent, topics.capture("<device>"),
      ])
    #expect(page.contains("`\(topics.request("<name>"))`") && page.contains("`\(topics.response("<name>"))`"))
  }

  @Test func `its topics of a device are those of the code`() throws {
    let device = try #require(Slug(of: "device").flatMap(DeviceID.init))
    let key: PropertyKey = "property"
    let said = try firstColumn(ofTableWith: "topic | retained | content").map(filled)
    #expect(
      said == [
        topics.state(device), topics.value(device, key), topics.availability(device), topics.event(device),
        topics.below(device, "rx"),
      ])
  }

  @Test func `every command topic on it is heard`() throws {
    let commands = try firstColumn(ofTableWith: "topic | content").map(filled)
    #expect(commands.count == 5)
    for topic in commands { #expect(topics.destination(of: topic) != nil, "\(topic)") }
    for verb in Property.Verb.allCases {
      #expect(page.contains("/\(verb.rawValue)`"))
      #expect(topics.destination(of: "sketch2mqtt/device/property/\(verb.rawValue)") != nil)
    }
  }

  private func filled(_ topic: String) -> String {
    topic.replacing("<device>", with: "device").replacing("<property>", with: "property")
  }
}
