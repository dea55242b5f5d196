import DeviceModel
import JSON
import TestSupport
import Testing

struct `Devices without a link` {
  @Test func `are there as long as the bridge runs, and take commands at once`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability") { $0.text == "online" }
      try await lodge.order(#"{"random":3}"#)
      try await lodge.heard("random 3")
      let random = try await lodge.recorder.message(on: "sketch2mqtt/probe/random")
      #expect(random.payload.count == 3)
      try await lodge.publish("", to: "sketch2mqtt/probe/get")
      try await lodge.heard("refresh")
      let seen = lodge.recorder.messages.count
      await lodge.stop()
      try await lodge.recorder.message(on: "sketch2mqtt/probe/availability", from: seen) {
        $0.text == "offline"
      }
    }
  }

  @Test func `get no more than 256 random bytes, and never the same`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      for _ in 0..<2 {
        let seen = lodge.recorder.messages.count
        try await lodge.order(#"{"random":256}"#)
        try await lodge.recorder.message(on: "sketch2mqtt/probe/random", from: seen) {
          $0.payload.count == 256
        }
      }
      let seen = lodge.recorder.messages.count
      try await lodge.order(#"{"random":257}"#)
      try await lodge.recorder.message(on: "sketch2mqtt/probe/random", from: seen) { $0.payload.count == 256 }
      let all = lodge.recorder.messages.all.filter { $0.topic == "sketch2mqtt/probe/random" }.map(\.payload)
      #expect(Set(all).count == 3)
    }
  }

  @Test func `are told when the broker goes and comes`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      let heard = try await lodge.heard("broker true")
      #expect(heard == ["remembered null", "broker false", "broker true"])
    }
  }

  @Test func `are told that a send of theirs goes nowhere`() async throws {
    try await withLodge(["{ name: Probe, kind: probe }"]) { lodge in
      try await lodge.order(#"{"send":"x"}"#)
      try await lodge.heard("not sent 7: no link 'board' is configured")
    }
  }
}
