import EventLoop
import Foundation
import TestSupport
import Testing

/// The files of `examples/home-assistant`: every entity in them is one that the bridge announces, every word one that the
/// board takes.
struct HomeAssistantExampleTests {
  init() { _ = LoopThread.started }

  private static let folder = Program.packageRoot.appending(path: "examples/home-assistant")

  private static var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(arguments: [("rover", 2), ("tv", 1)])
  @Loop func `the entities are announced, and the words understood`(device: String, count: Int) async throws {
    try await ExampleHouse.with { house in
      let topic = "homeassistant/device/sketch2mqtt_main_\(device)/config"
      let client = try await house.broker.client("homeassistant")
      defer { client.disconnect() }
      let announcement = try await client.messages.first(within: .seconds(20)) { $0.topic == topic }.text
      let files = try Self.files.filter { $0.hasPrefix(device) }
      #expect(files.count == count)
      for file in files {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let entities = Set(
          text.matches(of: /(button|number|select|switch|text|sensor|binary_sensor|event)\.\w+/)
            .map { String($0.0) }.filter { $0.contains(".\(device)_") })
        #expect(!entities.isEmpty)
        for entity in entities { #expect(announcement.contains(#""\#(entity)""#), "\(entity)") }
        for word in text.matches(of: /\{ value: ([A-Z ]+?) \}/).map({ String($0.1) }) {
          let before = house.owner.messages.count
          let result = try await house.shell("mosquitto_pub -t sketch2mqtt/rover/voice/set -m '\(word)'")
          #expect(result.status == 0)
          try await house.message("rover", from: before) { $0.contains(#""voice":"\#(word)""#) }
        }
      }
      #expect(house.refusals == [])
    }
  }
}
