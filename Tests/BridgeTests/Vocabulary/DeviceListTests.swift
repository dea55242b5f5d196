import DeviceModel
import JSON
import TestSupport
import Testing

struct `The list of devices` {
  @Test func `that is longer than a message may be is told without details, and said to be`() async throws {
    let devices = (0..<300).map { "{ name: Probe \($0), kind: wide_probe }" }
    try await withLodge(devices, top: ["homeassistant: { discovery: off }"]) { lodge in
      let message = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/devices") {
        $0.text.contains("probe_299") && $0.text.contains("\"abridged\":true")
      }
      #expect(message.payload.count < 1 << 20)
      let list = try #require(try message.json["devices"]?.list)
      #expect(list.count == 300)
      #expect(list[0]["id"] == "probe_0")
      #expect(list[0]["properties"] == nil)
      #expect(lodge.log.all.count { $0.hasPrefix("warning") && $0.contains("bridge/main/devices") } == 1)
    }
  }

  @Test func `that fits is told whole`() async throws {
    try await withLodge(["{ name: Probe, kind: wide_probe }"]) { lodge in
      let message = try await lodge.recorder.message(on: "sketch2mqtt/bridge/main/devices") {
        $0.text.contains("\"available\":true")
      }
      #expect(try message.json["devices"]?.list.first?["properties"]?.list.count == 103)
      #expect(try message.json["abridged"] == nil)
    }
  }
}
