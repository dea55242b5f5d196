import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

struct `The bridge with a pet door` {
  @Test func `shows what the door says and locks it`() async throws {
    try await withRadio { house, radio in
      try await house.startWithRadio()
      try await house.message(on: "door") {
        $0.state("lock") == "UNLOCKED" && $0.state("latch") == "ON" && $0.state("temperature") == 20
      }

      var seen = house.recorder.messages.count
      try await house.publish("LOCK", to: "door/lock/set")
      try await house.message(on: "door", from: seen) {
        $0.state("lock") == "LOCKED" && $0.state("manual_lock") == "ON" && $0.state("latch") == "OFF"
      }
      #expect(await radio.door.received == [[0x31]])

      seen = house.recorder.messages.count
      try await house.publish(#"{"lock":"unlock"}"#, to: "door/set")
      try await house.message(on: "door", from: seen) {
        $0.state("lock") == "UNLOCKED" && $0.state("manual_lock") == "OFF"
      }
      #expect(await radio.door.received == [[0x31], [0x30]])
    }
  }

  @Test func `a jammed latch is told as such`() async throws {
    try await withRadio { house, radio in
      try await house.startWithRadio()
      await { @Loop in radio.door.environment.isLatchJammed = true }()
      let seen = house.recorder.messages.count
      try await house.publish("LOCK", to: "door/lock/set")
      try await house.message(on: "door", from: seen) { $0.state("lock") == "JAMMED" }
    }
  }

  @Test func `a retained lock command moves nothing`() async throws {
    try await withRadio { house, radio in
      try await house.publish("LOCK", to: "door/lock/set", retain: true)
      try await house.startWithRadio()
      let seen = house.recorder.messages.count
      try await house.publish("UNLOCK", to: "door/lock/set", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")
      #expect(await radio.door.received == [])
    }
  }
}
