import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// The garage door's sketch as it always spoke: each message begins with a PIN.
@Suite(.enabled(if: Firmware.areThere("GarageDoor"), Firmware.notThere))
struct GarageFirmwareTests {
  init() { #expect(LoopThread.started) }

  @Test @Loop func `a PIN that is added over MQTT opens, by one pulse, and the door closes by one more`()
    async throws
  {
    try await withFirmwareGarage(pins: []) { house, garage in
      let added = try await house.request("garage/pin/add", #"{"device":"garage","name":"Anna"}"#)
      #expect(added["status"] == "ok" && added["data"]?["index"] == 1)
      #expect(try await garage.pins == [1: FirmwareGarage.anna])
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
      try await house.message("garage/event") { $0.text.contains("\"opened\"") }
      try await garage.pulse(2)
      let rises = garage.relay.all.filter(\.level)
      #expect(rises[1].after - rises[0].after >= .milliseconds(4990))
      #expect(rises[1].after - rises[0].after < .milliseconds(5100))
      #expect(garage.tap.bridgeSaid.all.last == "48151O=1")
    }
  }

  @Test @Loop func `a PIN that the board does not know does nothing`() async throws {
    try await withFirmwareGarage { house, garage in
      try await house.publish("leave", to: "garage/presence/ben/set")
      try await house.publish("enter", to: "garage/presence/ben/set")
      try await garage.tap.bridgeSaid.first { $0 == "99999O=1" }
      for wrong in ["48152O=1", "48151", "48151O=0", "48151O=1 ", "O=1", FirmwareGarage.master] {
        try await garage.say(packet: wrong)
      }
      // What is said later is heard later.
      let list = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(list["data"]?["pins"] == [["index": 1, "name": "Anna"]])
      #expect(garage.relay.count == 0)
      try await garage.say(packet: "48151O=1")
      try await garage.pulse(1)
    }
  }

  @Test @Loop func `who tries PINs over the air is heard once in five seconds, and keeps nobody else out`()
    async throws
  {
    try await withFirmwareGarage { house, garage in
      for pin in 10000..<10010 { try await garage.say(packet: "\(pin)O=1") }
      // Among those that are not heard is the right one.
      try await garage.say(packet: "48151O=1")
      #expect(garage.relay.count == 0)
      try await garage.pass(.seconds(5))
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
    }
  }

  @Test @Loop func `PINs are changed and deleted over MQTT, and what was taken away opens no more`()
    async throws
  {
    try await withFirmwareGarage(pins: [FirmwareGarage.anna, "77777"]) { house, garage in
      let changed = try await house.request(
        "garage/pin/change", #"{"device":"garage","name":"Anna","pin":"11111"}"#)
      #expect(changed["status"] == "ok")
      #expect(try await garage.pins == [1: "11111", 2: "77777"])
      try await garage.say(packet: "48151O=1")
      let added = try await house.request(
        "garage/pin/add", #"{"device":"garage","name":"Carl","pin":"22222"}"#)
      #expect(added["data"]?["index"] == 3)
      let deleted = try await house.request("garage/pin/delete", #"{"device":"garage","name":"Carl"}"#)
      #expect(deleted["status"] == "ok")
      #expect(try await garage.pins == [1: "11111", 2: "77777"])
      try await garage.say(packet: "22222O=1")
      let list = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(list["data"]?["pins"]?.list.map { $0["name"] } == ["Anna", .unknown])
      #expect(garage.relay.count == 0)
      // The bridge goes on with the PIN that it gave.
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
    }
  }

  @Test @Loop func `five wrong requests lock the PINs, and the board hears of none of them`() async throws {
    try await withFirmwareGarage { house, garage in
      for _ in 0..<5 {
        let wrong = try await house.request("garage/pin/delete", #"{"device":"garage","name":"Nobody"}"#)
        #expect(wrong["status"] == "error")
      }
      try await house.message("garage/event") { $0.text.contains("\"locked_out\"") }
      let asked = garage.tap.bridgeSaid.count
      let locked = try await house.request(
        "garage/pin/add", #"{"device":"garage","name":"Carl","pin":"22222"}"#)
      #expect(locked["status"] == "error")
      #expect(garage.tap.bridgeSaid.count == asked)
      #expect(garage.tap.bridgeSaid.all.allSatisfy { $0 == FirmwareGarage.master + "P" })
      #expect(try await garage.pins == [1: FirmwareGarage.anna])
    }
  }

  @Test @Loop func `a power cut while a PIN is on its way loses that PIN and no other`() async throws {
    try await withFirmwareGarage { house, garage in
      garage.tap.keepsBack = { $0.hasPrefix(FirmwareGarage.master + "A") }
      try await house.publish(
        #"{"device":"garage","name":"Carl","pin":"22222"}"#, to: "bridge/main/request/garage/pin/add")
      try await garage.tap.bridgeSaid.first { $0 == FirmwareGarage.master + "A22222" }
      await garage.cutPower()
      let answer = try await house.message("bridge/main/response/garage/pin/add")
      #expect(answer.text.contains("whether the change was made is not known"))
      garage.tap.keepsBack = { _ in false }
      let seen = house.seen
      try await garage.restorePower()
      try await house.message("garage/availability", from: seen) { $0.text == "online" }
      let list = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(list["data"]?["pins"] == [["index": 1, "name": "Anna"]])
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulse(1)
    }
  }

  @Test @Loop func `a power cut during the pulse ends it, and nothing follows when the power is back`()
    async throws
  {
    try await withFirmwareGarage(closesAfter: 600) { house, garage in
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.relay.level(true)
      let seen = house.seen
      await garage.cutPower()
      try await house.message("garage/availability", from: seen) { $0.text == "offline" }
      try await garage.restorePower()
      try await house.message("garage/availability", from: seen) { $0.text == "online" }
      #expect(try await !garage.simulator.level(of: "D8"))
      // It may be open: a second pulse would turn it around.
      let refused = house.seen
      try await house.publish("OPEN", to: "garage/door/set")
      try await house.message("bridge/main/event", from: refused) { $0.text.contains("not_now") }
      _ = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(garage.relay.count == 0)
    }
  }
}
