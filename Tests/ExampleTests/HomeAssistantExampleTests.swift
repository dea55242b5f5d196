import EventLoop
import Foundation
import TestSupport
import Testing

/// The files of `examples/home-assistant`: every entity in them is one that the bridge announces, every word one that the
/// board takes. `Tests/Proof/home_assistant_dashboard` has them in Home Assistant itself.
struct HomeAssistantExampleTests {
  init() { _ = LoopThread.started }

  private static let folder = Program.packageRoot.appending(path: "examples/home-assistant")

  private static var text: String {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".yaml") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        .joined(separator: "\n")
    }
  }

  /// Those of a device, by its id.
  private static func entities(of device: String, in text: String) -> Set<String> {
    let entity =
      /\b(?:binary_sensor|button|cover|device_tracker|event|lock|number|select|sensor|switch|text)\.(\w+)/
    return Set(
      text.matches(of: entity).filter { $0.1 == device || $0.1.hasPrefix("\(device)_") }.map { String($0.0) })
  }

  @Test(arguments: [
    ("drone", 3), ("garage", 4), ("garden_plug", 4), ("keys", 4), ("pet_door", 3), ("remote", 1),
    ("rover", 4), ("tv", 4),
  ])
  @Loop func `the entities are announced`(device: String, atLeast count: Int) async throws {
    let entities = Self.entities(of: device, in: try Self.text)
    #expect(entities.count >= count)
    try await ExampleHouse.with { house in
      let topic = "homeassistant/device/sketch2mqtt_main_\(device)/config"
      let client = try await house.broker.client("homeassistant")
      defer { client.disconnect() }
      let announcement = try await client.messages.first(within: .seconds(60)) { $0.topic == topic }.text
      for entity in entities { #expect(announcement.contains(#""\#(entity)""#), "\(entity)") }
    }
  }

  @Test @Loop func `the rover understands the words`() async throws {
    let words = try Self.text.matches(of: /\{ value: ([A-Z ]+?) \}/).map { String($0.1) }
    #expect(words.count == 7)
    try await ExampleHouse.with { house in
      for word in words {
        let before = house.owner.messages.count
        let result = try await house.shell("mosquitto_pub -t sketch2mqtt/rover/voice/set -m '\(word)'")
        #expect(result.status == 0)
        try await house.message("rover", from: before) { $0.contains(#""voice":"\#(word)""#) }
      }
      #expect(house.refusals == [])
    }
  }
}
