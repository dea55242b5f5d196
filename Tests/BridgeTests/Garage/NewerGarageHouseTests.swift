import DeviceModel
import EventLoop
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

struct `The bridge with a newer garage door` {
  @Test(arguments: ["held", "on_demand"])
  func `opens by the answer to the board's challenge, for a command and for who comes home`(session: String)
    async throws
  {
    try await withNewerGarage(session: session) { house, garage in
      var seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      try await house.garage(from: seen) {
        $0.state("door") == "opening" && $0.state("last_opened_by") == "Anna"
      }
      #expect(try await house.garageEvent("opened", from: seen)["source"] == "command")
      seen = house.recorder.messages.count
      try await garage.pulsed(2)
      try await house.garage(from: seen) { $0.state("door") == "closed" }
      try await house.phone("leave", "Home")
      try await house.garage(from: seen) { $0.state("armed_anna") == "ON" }
      seen = house.recorder.messages.count
      try await house.phone("enter", "Garage")
      #expect(try await house.garageEvent("opened", from: seen)["source"] == "owntracks")
      try await garage.pulsed(3)
      if session == "held" {
        try await house.garage(from: seen) { $0.state("door") == "opening" }
        try await house.publish("CLOSE", to: "garage/door/set")
        try await garage.pulsed(4)
        try await house.garage(from: seen) { $0.state("door") == "closed" }
      }
    }
  }

  @Test func `with another key opens nothing, and says so`() async throws {
    try await withNewerGarage(key: String(NewerGarageRadio.keyText.reversed())) { house, garage in
      for _ in 0..<6 {
        let seen = house.recorder.messages.count
        try await house.publish("OPEN", to: "garage/door/set")
        #expect(try await house.failure(from: seen).reason == "link_error")
        #expect(try await house.garageEvent("refused", from: seen)["reason"] == "link_error")
      }
      #expect(await garage.door.pulses == 0)
      let seen = house.recorder.messages.count
      let answer = try await house.request("garage/pin/delete", #"{"device":"garage","name":"Anna"}"#)
      #expect(answer["status"] == "error", "\(house.recorder.messages.all.dropFirst(seen))")
      #expect(await garage.door.pins.count == 2)
    }
  }

  @Test func `does not answer a challenge that it has answered`() async throws {
    try await withNewerGarage { house, garage in
      var seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      try await garage.pulsed(2)
      // It is told as closed once more before it is told to open.
      try await house.garageDoor(from: seen, goes: "closing", "closed")
      seen = house.recorder.messages.count
      // As one who has recorded it would tell it.
      await { @Loop in garage.door.repeatsChallenge = true }()
      try await house.publish("OPEN", to: "garage/door/set")
      _ = try await house.garageEvent("opened", from: seen)
      try await garage.pulsed(4)
      try await house.garageDoor(from: seen, goes: "closing", "closed")
      let answers = await garage.answers
      #expect(answers == 2)
      for session in ["the same", "another"] {
        seen = house.recorder.messages.count
        if session == "another" {
          await garage.radio.drop()
          try await house.message(on: "garage/availability", from: seen) { $0.text == "offline" }
          try await house.message(on: "garage/availability", from: seen) { $0.text == "online" }
        }
        try await house.publish("OPEN", to: "garage/door/set")
        let refused = try await house.garageEvent("refused", from: seen)
        #expect(refused["error"]?.text?.contains("no new challenge") == true, "in \(session) session")
      }
      #expect(await garage.answers == answers)
      #expect(await garage.door.pulses == 4)
    }
  }

  @Test func `after a restart of the board between its challenge and the answer nothing opens`() async throws
  {
    try await withNewerGarage { house, garage in
      var seen = house.recorder.messages.count
      await { @Loop in
        garage.receive { packet in
          guard packet.contains("=\"O") else { return true }
          garage.door.restart()
          return false
        }
      }()
      try await house.publish("OPEN", to: "garage/door/set")
      #expect(try await house.garageEvent("refused", from: seen)["reason"] == "link_error")
      #expect(try await house.failure(from: seen).reason == "link_error")
      await { @Loop in garage.receive { _ in true } }()
      // What was said before is not said again.
      try await house.garage(from: seen) { $0.state("door") == "closed" }
      #expect(await garage.door.pulses == 0)
      seen = house.recorder.messages.count
      try await house.publish("OPEN", to: "garage/door/set")
      _ = try await house.garageEvent("opened", from: seen)
      try await garage.pulsed(1)
    }
  }

  @Test func `PINs are managed by name, and are not in the air, in no topic, no log line and no file`()
    async throws
  {
    try await withNewerGarage { house, garage in
      let other = "7.7.7"
      let another = "(5,5)"
      try await house.captureGarage()
      let list = try await house.request("garage/pin/list", #"{"device":"garage"}"#)
      #expect(list["data"]?["pins"] == [["index": 1, "name": "Anna"], ["index": 2, "name": "Ben"]])
      let added = try await house.request(
        "garage/pin/add", #"{"device":"garage","name":"Carl","pin":"\#(other)"}"#)
      #expect(added["data"] == ["name": "Carl", "index": 3])
      #expect(await garage.door.pins == [1: GarageRadio.anna, 2: GarageRadio.ben, 3: other])
      let changed = try await house.request(
        "garage/pin/change", #"{"device":"garage","name":"Ben","pin":"\#(another)"}"#)
      #expect(changed["status"] == "ok")
      #expect(await garage.door.pins == [1: GarageRadio.anna, 2: another, 3: other])
      let deleted = try await house.request("garage/pin/delete", #"{"device":"garage","name":"Carl"}"#)
      #expect(deleted["status"] == "ok")
      #expect(await garage.door.pins == [1: GarageRadio.anna, 2: another])

      // Ben opens with the PIN that he has now.
      try await house.publish("leave", to: "garage/presence/ben/set")
      try await house.publish("enter", to: "garage/presence/ben/set")
      _ = try await house.garageEvent("opened")
      try await garage.pulsed(1)
      try await house.expectManagementLocksOut()
      _ = try await house.request("health")
      try house.expectCaptured()
      #expect(try await house.bridge.terminate() == .code(0))

      let secrets = [
        GarageRadio.anna, GarageRadio.ben, GarageRadio.master, other, another, NewerGarageRadio.keyText,
      ]
      try house.expectNothing(of: secrets)
      let sent = String(decoding: await garage.sent, as: UTF8.self)
      #expect(sent.contains("=\"P") && sent.contains("=\"D") && sent.contains("=\"O"))
      for secret in secrets { #expect(!sent.contains(secret)) }
    }
  }
}
