import DeviceModel
import EventLoop
import JSON
import Simulation
import TestSupport
import Testing

struct `A device that hears advertisements` {
  @Test func `hears every board, and is there as long as it can`() async throws {
    let radio = try await Radio()
    try await withLodge(
      [
        "{ name: Probe, kind: ear_probe }", "{ name: Other, kind: ear_probe }", "{ name: Deaf, kind: probe }",
      ],
      top: ["bluetooth: { bus: \"\(radio.air.bus.address)\" }"]
    ) { lodge in
      for device in ["probe", "other"] {
        try await lodge.heard(by: device, "advertisement \(Radio.doorAddress)")
        let heard = try await lodge.heard(by: device, "advertisement \(Radio.boardAddress)")
        #expect(heard.prefix(3).first == "remembered null")
        #expect(heard.contains("listening true "))
        try await lodge.recorder.message(on: "sketch2mqtt/\(device)/availability") { $0.text == "online" }
      }
      let seen = lodge.recorder.messages.count
      radio.bluez.stop()
      try await lodge.heard(from: seen) { $0.hasPrefix("listening false ") && $0.count > 20 }
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability", from: seen) {
        $0.text == "offline"
      }
      #expect(!(try await lodge.heard(by: "deaf", "broker true")).contains { $0.hasPrefix("listening") })
      #expect(
        lodge.recorder.messages.all.last { $0.topic == "sketch2mqtt/deaf/availability" }?.text == "online")
    }
    await radio.air.close()
  }

  @Test func `knows from the start when there is nothing to hear with`() async throws {
    try await withLodge(
      ["{ name: Probe, kind: ear_probe }"], top: ["bluetooth: { bus: \"unix:path=/no/such/bus\" }"]
    ) { lodge in
      let heard = try await lodge.heard { $0.contains("/no/such/bus") }
      #expect(heard.contains { $0.hasPrefix("listening false ") })
      #expect(
        lodge.recorder.messages.all.last { $0.topic == "sketch2mqtt/probe/availability" }?.text == "offline")
    }
  }

  @Test func `lets the radio rest when it goes`() async throws {
    let radio = try await Radio()
    try await withLodge(
      ["{ name: Probe, kind: ear_probe }"], top: ["bluetooth: { bus: \"\(radio.air.bus.address)\" }"]
    ) { lodge in
      try await lodge.heard("advertisement \(Radio.doorAddress)")
      lodge.text.devices = []
      #expect(lodge.reload() == nil)
      try await radio.bluez.wait { !$0.isDiscovering }
    }
    await radio.air.close()
  }
}
