import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// Items as their owner sees them: which beacons are one, how they are called, and what is told of them.
struct `Items at home` {
  private static let uuid = [UInt8](repeating: 0xAB, count: 16)
  private static let text = "abababab-abab-abab-abab-abababababab"

  private static func item(_ name: String, _ numbers: String, silence: String = "600s") -> String {
    "{ name: \(name), kind: beacon, options: { uuid: \(text)\(numbers), silence: \(silence) } }"
  }

  @Test func `one beacon may be several items, and a group is there as long as one of it is`() async throws {
    let items = [
      Self.item("Keys", ", major: 1, minor: 2"), Self.item("Twin", ", major: 1, minor: 2"),
      Self.item("All", ""), Self.item("First", ", major: 1"), Self.item("Second", ", minor: 2"),
      Self.item("Other", ", major: 2, minor: 1"), Self.item("Swapped", ", major: 256, minor: 512"),
      "{ name: Buoy, kind: beacon, options: { namespace: \(String(repeating: "ab", count: 10)) } }",
    ]
    try await withAir(items) { lodge, air in
      func isHome(_ names: String...) async throws {
        for name in names {
          try await lodge.recorder.message(on: "sketch2mqtt/\(name)") { $0.state("presence") == "home" }
        }
      }
      func isHeard(_ name: String) -> Bool {
        lodge.recorder.messages.all.contains {
          $0.topic == "sketch2mqtt/\(name)" && $0.state("presence") == "home"
        }
      }
      try await lodge.recorder.message(on: "sketch2mqtt/keys/availability") { $0.text == "online" }
      air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 9)
      try await isHome("all", "first")
      #expect(!isHeard("keys") && !isHeard("twin") && !isHeard("second"))
      air.bluez.addIBeacon(at: "40:00:00:00:00:02", uuid: Self.uuid, major: 7, minor: 2)
      try await isHome("second")
      #expect(!isHeard("keys") && !isHeard("twin"))
      // As an AltBeacon, of a company that nobody knows.
      air.bluez.addBeacon(
        at: "40:00:00:00:00:03", manufacturer: [0xFEED: [0xBE, 0xAC] + Self.uuid + [0, 1, 0, 2, 0xC5, 0]])
      try await isHome("keys", "twin")
      // Eddystone-UID.
      let frame: [UInt8] = [0x00, 0xEB] + [UInt8](repeating: 0xAB, count: 10) + [1, 2, 3, 4, 5, 6, 0, 0]
      air.bluez.addBeacon(
        at: "40:00:00:00:00:04", service: ["0000feaa-0000-1000-8000-00805f9b34fb": frame])
      try await isHome("buoy")
      #expect(!isHeard("other") && !isHeard("swapped"), "the bytes of a number have their order")
    }
  }

  @Test func `a strength of 127, which is none, brings one home without a distance`() async throws {
    try await withAir([Self.item("Keys", "")]) { lodge, air in
      let tag = air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
      tag.rssiDBm = 127
      let topic = "sketch2mqtt/keys"
      let state = try await lodge.recorder.message(on: topic) { $0.state("presence") == "home" }
      #expect(state.state("rssi") == .unknown && state.state("distance") == .unknown)
      #expect(state.state("proximity") == "unknown")
      tag.rssiDBm = -59
      try await lodge.recorder.message(on: topic) { $0.state("distance") == 1 && $0.state("rssi") == -59 }
    }
  }

  @Test func `an item is called as its owner likes, and its topic is clean`() async throws {
    try await withAir { lodge, _ in
      func add(_ name: String, _ more: String = "") -> String {
        "{\"name\": \"\(name)\", \"uuid\": \"\(Self.text)\"\(more)}"
      }
      for (name, id) in [
        ("Größe/Schlüssel #1 +", "grosse_schlussel_1"), ("Anna's \u{1F511} & bag", "anna_s_bag"),
        ("  a/b  ", "a_b"), ("ÆØÅ", "aeoa"),
      ] {
        let device = try await lodge.asked("beacon/add", add(name))["device"]?.text ?? ""
        #expect(
          device.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".utf8.contains($0) }, "\(device)")
        if name != "ÆØÅ" { #expect(device == id) }
        try await lodge.recorder.message(on: "sketch2mqtt/\(device)/availability")
      }
      for (name, word) in [("\u{1F511}", "'id'"), ("钥匙", "'id'"), ("", "name"), ("bridge", "bridge")] {
        let error = try await lodge.refused("beacon/add", add(name))
        #expect(error.contains(word), "\(name): \(error)")
      }
      #expect(try await lodge.asked("beacon/add", add("钥匙", ", \"id\": \"keys\""))["device"] == "keys")
      // Twice the same, under another spelling of the same slug, and with an id that is taken.
      for text in [
        add("钥匙", ", \"id\": \"keys\""), add("Größe / Schlüssel 1"), add("x", ", \"id\": \"a_b\""),
      ] {
        #expect(try await lodge.refused("beacon/add", text).contains("already"), "\(text)")
      }
      let listed = try await lodge.asked("beacon/list")["beacons"]?.list ?? []
      #expect(listed.count == 5 && listed.contains { $0["name"] == "Größe/Schlüssel #1 +" })
      #expect(try await lodge.asked("beacon/remove", #"{"name": "Größe/Schlüssel #1 +"}"#)["device"] != nil)
      #expect(try await lodge.asked("beacon/list")["beacons"]?.list.count == 4)
    }
  }

  @Test(arguments: [false, true])
  func `one that goes while the bridge is away is left behind once, whenever that stops or is killed`(
    isKilled: Bool
  ) async throws {
    let items = [
      Self.item("Keys", ", minor: 1", silence: "2s"), Self.item("Witness", ", minor: 2", silence: "3s"),
    ]
    try await withAir(items) { lodge, air in
      let tag = air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 1)
      try await lodge.recorder.message(on: "sketch2mqtt/keys") { $0.state("presence") == "home" }
      let memory = lodge.folder("state/main.memory.json")
      #expect(
        await eventually {
          (try? String(contentsOfFile: memory, encoding: .utf8))?.contains(#""presence":"home""#) == true
        })
      if !isKilled { await lodge.stop() }
      air.bluez.carryAway(tag)
      let restarted = lodge.recorder.messages.count
      try await lodge.start()
      try await lodge.recorder.message(on: "sketch2mqtt/keys/event", from: restarted)
      try await lodge.recorder.message(on: "sketch2mqtt/keys", from: restarted) {
        $0.state("presence") == "not_home"
      }
      for round in 0..<2 {
        if !isKilled { await lodge.stop() }
        let seen = lodge.recorder.messages.count
        try await lodge.start()
        // The witness comes and goes, and is silent for longer: whatever is told anew of the keys is told before.
        let witness = air.bluez.addIBeacon(
          at: "40:00:00:00:01:0\(round)", uuid: Self.uuid, major: 1, minor: 2)
        try await lodge.recorder.message(on: "sketch2mqtt/witness", from: seen) {
          $0.state("presence") == "home"
        }
        air.bluez.carryAway(witness)
        try await lodge.recorder.message(on: "sketch2mqtt/witness/event", from: seen) {
          $0.text.contains("left_behind")
        }
      }
      let events = lodge.recorder.messages.all.filter { $0.topic == "sketch2mqtt/keys/event" }
      #expect(events.compactMap { (try? $0.json["event_type"])?.text } == ["left_behind"])
    }
  }

  @Test func `while a board is being connected nothing is left behind, however short the silence`()
    async throws
  {
    let board = "{ name: Board, kind: uart, link: { ble: \"C0:DE:00:00:00:21\" } }"
    try await withAir([Self.item("Keys", "", silence: "2s"), board]) { lodge, air in
      air.bluez.addIBeacon(at: "40:00:00:00:00:01", uuid: Self.uuid, major: 1, minor: 2)
      let absent = air.bluez.add(RawUARTBoard(), at: "C0:DE:00:00:00:21")
      absent.usualCourse = .hangs
      try await lodge.recorder.message(on: "sketch2mqtt/keys") { $0.state("presence") == "home" }
      let home = lodge.recorder.messages.count
      // Each attempt takes ten seconds in which nothing is heard.
      try await air.bluez.wait { _ in absent.connectCalls >= 2 }
      absent.isAdvertising = false
      let seen = lodge.recorder.messages.count
      air.bluez.addIBeacon(at: "40:00:00:00:00:02", uuid: Self.uuid, major: 7, minor: 7).rssiDBm = -40
      try await lodge.recorder.message(on: "sketch2mqtt/keys", from: seen) { $0.state("rssi") != -60 }
      #expect(!lodge.recorder.messages.all.dropFirst(home).contains { $0.topic == "sketch2mqtt/keys/event" })
    }
  }
}
