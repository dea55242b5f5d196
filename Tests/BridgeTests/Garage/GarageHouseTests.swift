import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a garage door` {
  @Test func `opens for a command, shows the door's way, and leaves the radio to others`() async throws {
    try await withGarage { house, garage in
      try await house.startWithGarage()
      var seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      try await house.garage(from: seen) {
        $0.state("door") == "opening" && $0.state("last_opened_by") == "Anna"
      }
      let opened = try await house.garageEvent("opened", from: seen)
      #expect(opened["person"] == "Anna" && opened["source"] == "command")
      try await garage.reached(1)
      #expect(await garage.door.sketch.pulses.count == 1)
      #expect(await garage.door.received == [Array("48151O=1".utf8)])

      seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      #expect(try await house.failure(from: seen).reason == "not_now")
      try await house.garage { $0.state("door") == "closed" }
      #expect(await garage.door.sketch.door == .closed)
      #expect(await !garage.radio.isConnected)
      #expect(await garage.openings == 1)
    }
  }

  @Test func `opens for who comes home, by the phone and by a plain word`() async throws {
    try await withGarage { house, garage in
      try await house.startWithGarage()
      var seen = house.recorder.messages.count
      try await house.phone("leave", "Home")
      try await house.garage(from: seen) {
        $0.state("armed_anna") == "ON" && $0.state("in_home_anna") == "OFF"
      }
      try await house.phone("enter", "Garage:000000000000000000000000000000FF:0:1")
      #expect(try await house.garageEvent("opened", from: seen)["source"] == "owntracks")
      try await house.garage(from: seen) { $0.state("armed_anna") == "OFF" }

      seen = house.recorder.messages.count
      try await house.publish("leave", to: "garage/presence/ben/set")
      try await house.garage(from: seen) { $0.state("armed_ben") == "ON" }
      // The door is still open: nothing is sent.
      try await house.publish("enter", to: "garage/presence/ben/set")
      try await house.garage(from: seen) { $0.state("armed_ben") == "OFF" }
      try await house.garage(from: seen) { $0.state("door") == "closed" }
      try await house.publish("PRESS", to: "garage/simulate_exit_ben/set")
      try await house.garage(from: seen) { $0.state("armed_ben") == "ON" }
      seen = house.recorder.messages.count
      try await house.publish("enter", to: "garage/presence/ben/set")
      #expect(try await house.garageEvent("opened", from: seen)["person"] == "Ben")
      try await garage.reached(2)
    }
  }

  @Test func `nothing retained, old, repeated or encrypted opens, nor do restarts and a lost broker`()
    async throws
  {
    try await withGarage { house, garage in
      try await house.publish("OPEN", to: "garage/door/set", retain: true)
      try await house.publish("enter", to: "garage/presence/anna/set", retain: true)
      try await house.phone("enter", "Garage", retain: true)
      try await house.startWithGarage()
      try await house.phone("leave", "Home", after: -3)
      try await house.garage { $0.state("armed_anna") == "ON" }

      try await house.deviceMemory { $0.contains(#""anna":{"inside":false"#) }
      try await house.bridge.kill9()
      let seen = house.recorder.messages.count
      try await house.startWithGarage()
      try await house.garage(from: seen) { $0.state("armed_anna") == "ON" }
      try await house.phone("enter", "Garage", after: -60)
      try await house.phone("enter", "Garage", after: 90)
      try await house.recorder.publish(
        #"{"_type":"encrypted","data":"AAAA"}"#, to: "owntracks/anna/phone/event")
      #expect(try await house.garageEvent("refused", from: seen)["reason"] == "future")
      try await house.publish("OPEN", to: "garage/door/set", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")

      try await house.broker.kill()
      try await house.bridge.errors.first(within: .patience) { $0.contains("no broker") }
      try await house.broker.start()
      let client = try await MQTTRecorder(port: house.broker.port)
      try await client.message(on: "sketch2mqtt/bridge/main/state", within: .patience) { $0.text == "online" }
      try await house.phone("enter", "Garage", after: -121, by: client)
      try await house.phone("leave", "Home", by: client)
      try await client.message(on: "sketch2mqtt/garage/event") { $0.text.contains("region_left") }
      #expect(await garage.openings == 0)
      try await house.phone("enter", "Garage", after: 1, by: client)
      try await client.message(on: "sketch2mqtt/garage/event") {
        $0.text.contains("\"event_type\":\"opened\"")
      }
      // And this one does.
      try await garage.reached(1)
    }
  }

  @Test func `a board that is away fails the command, and gets nothing later`() async throws {
    try await withGarage { house, garage in
      try await house.startWithGarage()
      await { @Loop in
        garage.radio.isAdvertising = false
        garage.radio.drop()
      }()
      let seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.device == "garage" && failure.property == "door")
      #expect(["away", "link_error"].contains(failure.reason))
      await { @Loop in garage.radio.isAdvertising = true }()
      try await house.message(on: "garage/availability", from: seen) { $0.text == "online" }
      #expect(await garage.openings == 0)
    }
  }

  @Test(arguments: [0x80, 0x0E, 0xFF] as [UInt8])
  func `a board that opens and answers with an error gets no second pulse`(code: UInt8) async throws {
    try await withGarage { house, garage in
      await { @Loop in
        garage.radio.faults["AcquireWrite"] = .notSupportedForTests
        garage.radio.nextAnswers = [.attribute(code)]
      }()
      try await house.startWithGarage()
      let seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.reason == "link_error")
      #expect(try await house.garageEvent("refused", from: seen)["reason"] == "link_error")
      #expect(failure.error.contains("may have moved the door"))
      let after = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      #expect(try await house.failure(from: after).reason == "not_now")
      #expect(await garage.door.sketch.pulses.count == 1)
      // When it must be closed again it opens again.
      try await house.garage(from: seen) { $0.state("door") == "closed" }
      try await house.publish("OPEN", to: "garage/door/set")
      _ = try await house.garageEvent("opened", from: after)
    }
  }

  /// Not permitted, not paired, no such handle: the program behind the radio never saw it.
  @Test(arguments: [0x03, 0x05, 0x01] as [UInt8])
  func `a write that the board's radio refuses leaves the person out`(code: UInt8) async throws {
    try await withGarage { house, garage in
      await { @Loop in
        garage.radio.faults["AcquireWrite"] = .notSupportedForTests
        garage.radio.nextFaults["WriteValue"] = [.attribute(code)]
      }()
      try await house.startWithGarage()
      let seen = house.recorder.messages.count
      try await house.publish("leave", to: "garage/presence/anna/set")
      try await house.publish("enter", to: "garage/presence/anna/set")
      #expect(try await house.garageEvent("refused", from: seen)["reason"] == "link_error")
      try await house.publish("enter", to: "garage/presence/anna/set")
      _ = try await house.garageEvent("opened", from: seen)
      try await garage.reached(1)
    }
  }

  @Test func `PINs are managed by name, and are in no topic, no log line and no file`() async throws {
    try await withGarage { house, garage in
      let other = "7.7.7"
      try await house.startWithGarage()
      try await house.captureGarage()
      #expect(try await house.request("garage/pin/list", #"{"device":"garage"}"#)["status"] == "ok")
      let added = try await house.request(
        "garage/pin/add", #"{"device":"garage","name":"Carl","pin":"\#(other)"}"#)
      #expect(added["data"]?["index"] == 3)
      #expect(await garage.door.sketch.pins == [GarageRadio.anna, GarageRadio.ben, other])
      let list = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(list["data"]?["pins"]?.list.map { $0["name"] } == ["Anna", "Ben", "Carl"])
      #expect(
        try await house.request("garage/pin/delete", #"{"device":"garage","name":"Carl"}"#)["status"] == "ok")
      #expect(await garage.door.sketch.pins == [GarageRadio.anna, GarageRadio.ben])
      try await house.expectManagementLocksOut()

      try await house.publish("OPEN", to: "garage/door/set")
      _ = try await house.garageEvent("opened")
      try await house.publish(
        #"{"event":"enter","region":"\#(GarageRadio.ben)"}"#, to: "garage/presence/ben/set")
      _ = try await house.request("health")
      try house.configure { $0.devices[0].replace("closing_interval", with: "closing_intervall") }
      #expect(try await house.request("reload")["status"] == "error")
      try house.expectCaptured()
      #expect(try await house.bridge.terminate() == .code(0))

      try house.expectNothing(of: [GarageRadio.anna, GarageRadio.master, other])
    }
  }
}

extension BlueZFault {
  fileprivate static var notSupportedForTests: BlueZFault {
    BlueZFault("org.bluez.Error.NotSupported", "Operation is not supported")
  }
}
