import DeviceModel
import EventLoop
import Foundation
import JSON
import TestSupport
import Testing

@testable import Bridge

struct `Devices that are added while the bridge runs` {
  static let keys: Value.Members = ["name": "My keys", "kind": "wide_probe", "options": ["farewell": "Bye"]]

  @Test func `are there at once, and after a restart`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      #expect(try lodge.running.add(Self.keys).text == "my_keys")
      try await lodge.recorder.message(on: "sketch2mqtt/my_keys/availability") { $0.text == "online" }
      try await lodge.recorder.message(on: "homeassistant/device/sketch2mqtt_main_my_keys/config") {
        $0.text.contains("My keys")
      }
      try await lodge.order(#"{"remember":7,"random":1}"#, "my_keys")
      try await lodge.heard(by: "my_keys", "random 1")
      try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/devices") {
        $0.text.contains("\"added\":true")
      }
      await lodge.stop()
      let seen = lodge.recorder.messages.count
      try await lodge.start()
      #expect(try await lodge.remembered(by: "my_keys", from: seen) == "remembered 7")
    }
  }

  @Test func `go with all that stands on the broker, and do not come back`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      let id = try lodge.running.add(Self.keys)
      try await lodge.recorder.message(on: "homeassistant/device/sketch2mqtt_main_my_keys/config")
      try await lodge.heard(by: "my_keys", "broker true")
      let seen = lodge.recorder.messages.count
      try lodge.running.remove(id)
      for topic in [
        "homeassistant/device/sketch2mqtt_main_my_keys/config", "sketch2mqtt/my_keys",
        "sketch2mqtt/my_keys/availability",
      ] {
        try await lodge.recorder.message(on: topic, from: seen) { $0.payload.isEmpty }
      }
      await lodge.stop()
      try await lodge.start()
      #expect(try lodge.running.devices["my_keys"] == nil)
      #expect(try lodge.running.devices["probe"] != nil)
    }
  }

  @Test func `stay over a reload, and give way to one of the configuration with their id`() async throws {
    try await withLodge([]) { lodge in
      try lodge.running.add(Self.keys)
      lodge.text.devices = ["{ name: Probe, kind: probe }"]
      #expect(lodge.reload() == nil)
      #expect(try lodge.running.order.map(\.text) == ["probe", "my_keys"])
      lodge.text.devices = ["{ name: Other, id: my_keys, kind: ear_probe }"]
      #expect(lodge.reload() == nil)
      #expect(try lodge.running.devices["my_keys"]?.setup.kind.name == "ear_probe")
      #expect(lodge.log.all.contains { $0.hasPrefix("warning: my_keys: ") })
      await lodge.stop()
      try await lodge.start()
      #expect(try lodge.running.devices["my_keys"]?.setup.kind.name == "ear_probe")
      lodge.text.devices = []
      #expect(lodge.reload() == nil)
      #expect(try lodge.running.devices["my_keys"]?.setup.kind.name == "wide_probe")
    }
  }

  @Test(arguments: [
    ("{}", "name: missing"), (#"{"name":"X","kind":"prob"}"#, "did you mean 'probe'"),
    (#"{"name":"X","kind":"probe","optoins":{}}"#, "did you mean 'options'"),
    (#"{"name":"X","kind":"board_probe"}"#, "link: missing"),
    (#"{"name":"PROBE","kind":"probe"}"#, "already"),
    (#"{"name":"Bridge","kind":"probe"}"#, "bridge"), (#"{"name":7,"kind":[]}"#, "kind"),
  ])
  func `that are wrong or taken change nothing`(text: String, words: String) async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      guard case .object(let written) = try JSON.parse(text) else { return }
      let refusal = #expect(throws: DeviceChangeRefusal.self) { try lodge.running.add(written) }
      #expect(try #require(refusal).description.contains(words))
      #expect(try lodge.running.order.map(\.text) == ["probe"])
      #expect(!FileManager.default.fileExists(atPath: lodge.folder("state/main.added.json")))
    }
  }

  @Test func `are the only ones that can be removed`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      let bridge = try lodge.running
      let id = try #require(bridge.order.first)
      let refusal = #expect(throws: DeviceChangeRefusal.self) { try bridge.remove(id) }
      #expect(refusal?.description.contains("configuration") == true)
      #expect(bridge.order.count == 1)
    }
  }

  @Test(arguments: ["{", "[]", #"{"devices":[7,{"name":"A"},{"name":"B","kind":"probe"}]}"#])
  func `that are damaged on the disk cost only themselves`(content: String) async throws {
    try await withLodge([]) { lodge in
      await lodge.stop()
      try FileManager.default.createDirectory(
        atPath: lodge.folder("state"), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: URL(filePath: lodge.folder("state/main.added.json")))
      try await lodge.start()
      let words = content.contains("\"A\"") ? "error: a device that was added rests" : "main.added.json"
      #expect(lodge.log.all.contains { $0.contains(words) })
      try lodge.running.add(Self.keys)
      if !content.contains("\"A\"") {
        let kept = try Data(contentsOf: URL(filePath: lodge.folder("state/main.added.json.damaged")))
        #expect(String(decoding: kept, as: UTF8.self) == content)
      }
      try await lodge.heard(by: "my_keys", "broker true")
      if content.contains("\"B\"") { try await lodge.heard(by: "b", "broker true") }
    }
  }
}
