import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

struct `Beacons at home` {
  private static let uuid = [UInt8](repeating: 0xAB, count: 16)
  private static let text = "abababab-abab-abab-abab-abababababab"
  private static let keys =
    "{ name: Keys, kind: beacon, options: { uuid: \(text), major: 1, minor: 2, silence: 2s } }"

  @Test func `one is home when it is heard, left behind once when it is not, and returned once`() async throws
  {
    try await withAir([Self.keys]) { lodge, air in
      let topic = "sketch2mqtt/keys"
      try await lodge.recorder.message(on: "sketch2mqtt/keys/availability") { $0.text == "online" }
      try await lodge.recorder.message(on: topic) { $0.state("presence") == "not_home" }
      let tag = air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
      let state = try await lodge.recorder.message(on: topic) { $0.state("presence") == "home" }
      #expect(state.state("proximity") == "near")
      #expect(state.state("rssi") == -60)
      air.bluez.carryAway(tag)
      try await lodge.recorder.message(on: topic) {
        $0.state("presence") == "not_home" && $0.state("proximity") == "unknown"
      }
      try await lodge.recorder.message(on: "sketch2mqtt/keys/event") {
        (try? $0.json["event_type"]) == "left_behind"
      }
      let seen = lodge.recorder.messages.count
      let again = air.bluez.addIBeacon(at: "40:00:00:00:00:02", uuid: Self.uuid, major: 1, minor: 2)
      try await lodge.recorder.message(on: "sketch2mqtt/keys/event", from: seen)
      try await lodge.recorder.message(on: topic, from: seen) { $0.state("presence") == "home" }
      let events = lodge.recorder.messages.all.filter { $0.topic == "sketch2mqtt/keys/event" }
      #expect(
        events.compactMap { (try? $0.json["event_type"])?.text } == ["returned", "left_behind", "returned"])
      #expect(events.allSatisfy { !$0.isRetained })
      #expect(again.connectCalls == 0)
    }
  }

  @Test func `where BlueZ monitors, one is home although an absent board is tried again and again`()
    async throws
  {
    let board = "{ name: Board, kind: uart, link: { ble: \"C0:DE:00:00:00:21\" } }"
    let keys = Self.keys.replacingOccurrences(of: "silence: 2s", with: "silence: 8s")
    try await withAir([keys, board], offersMonitors: true) { lodge, air in
      let absent = air.bluez.add(RawUARTBoard(), at: "C0:DE:00:00:00:21")
      absent.usualCourse = .hangs
      let tag = air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
      tag.rssiSwing = 4
      let topic = "sketch2mqtt/keys"
      try await lodge.recorder.message(on: topic) { $0.state("presence") == "home" }
      let home = lodge.recorder.messages.count
      // Each attempt takes 10 s, more than the silence that makes an exit.
      try await air.bluez.wait { _ in absent.connectCalls >= 2 }
      #expect(!lodge.recorder.messages.all.dropFirst(home).contains { $0.topic == "sketch2mqtt/keys/event" })
      air.bluez.carryAway(tag)
      try await lodge.recorder.message(on: "sketch2mqtt/keys/event", from: home)
      let events = lodge.recorder.messages.all.dropFirst(home).filter { $0.topic == "sketch2mqtt/keys/event" }
      #expect(events.compactMap { (try? $0.json["event_type"])?.text } == ["left_behind"])
      #expect(air.bluez.activeMonitors == 1)
    }
  }

  @Test func `while nobody can listen it is offline, and nothing is left behind`() async throws {
    try await withAir([Self.keys]) { lodge, air in
      air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
      try await lodge.recorder.message(on: "sketch2mqtt/keys") { $0.state("presence") == "home" }
      let seen = lodge.recorder.messages.count
      air.bluez.powerOff()
      try await lodge.recorder.message(on: "sketch2mqtt/keys/availability", from: seen) {
        $0.text == "offline"
      }
      // Longer than its silence: that nothing comes of it cannot be awaited.
      try await Loop.sleep(for: .seconds(3))
      air.bluez.powerOn()
      try await lodge.recorder.message(on: "sketch2mqtt/keys/availability", from: seen) {
        $0.text == "online"
      }
      try await lodge.recorder.message(on: "sketch2mqtt/keys", from: seen) { $0.state("proximity") == "near" }
      #expect(!lodge.recorder.messages.all.contains { $0.topic == "sketch2mqtt/keys/event" })
    }
  }

  @Test func `items come and go by requests, and survive a restart`() async throws {
    try await withAir { lodge, air in
      air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 3)
      let bag =
        "{\"name\": \"Bag\", \"uuid\": \"\(Self.text)\", \"major\": 1, \"minor\": 3, \"silence\": \"5s\"}"
      #expect(try await lodge.asked("beacon/add", bag)["device"] == "bag")
      try await lodge.recorder.message(on: "sketch2mqtt/bag") { $0.state("presence") == "home" }
      #expect(try await lodge.refused("beacon/add", bag).contains("'bag' already"))
      for wrong in [
        "{}", #"{"name": "Cat"}"#, #"{"name": "Cat", "uuid": "180f"}"#,
        "{\"name\": \"Cat\", \"uuid\": \"\(Self.text)\", \"colour\": 1}",
      ] {
        #expect(!(try await lodge.refused("beacon/add", wrong)).isEmpty, "\(wrong)")
      }
      #expect(
        try await lodge.refused("beacon/add", #"{"name": "Cat", "uuid": "180f"}"#).hasPrefix("options.uuid: ")
      )
      let listed = try await lodge.asked("beacon/list")["beacons"]?.list ?? []
      #expect(listed.count == 1)
      #expect(listed.first?["name"] == "Bag")
      #expect(listed.first?["added"] == true)
      #expect(listed.first?["minor"] == 3)

      let seen = lodge.recorder.messages.count
      await lodge.stop()
      try await lodge.start()
      try await lodge.recorder.message(on: "sketch2mqtt/bag/availability", from: seen) { $0.text == "online" }
      #expect(try await lodge.asked("beacon/list")["beacons"]?.list.count == 1)

      #expect(try await lodge.refused("beacon/remove", #"{"name": "Bga"}"#).contains("did you mean 'Bag'"))
      #expect(try await lodge.asked("beacon/remove", #"{"name": "Bag"}"#)["device"] == "bag")
      try await lodge.recorder.message(on: "sketch2mqtt/bag", from: seen) { $0.payload.isEmpty }
      #expect(try await lodge.asked("beacon/list")["beacons"]?.list == [])
    }
  }

  @Test func `one of the configuration is removed there`() async throws {
    try await withAir([Self.keys]) { lodge, _ in
      let error = try await lodge.refused("beacon/remove", #"{"name": "Keys"}"#)
      #expect(error.contains("configuration"))
      let listed = try await lodge.asked("beacon/list")
      #expect(listed["beacons"]?.list.first?["added"] == false)
    }
  }
}
