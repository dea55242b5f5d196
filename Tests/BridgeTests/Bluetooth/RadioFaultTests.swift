import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// What happens to a radio, after which the boards on it are away, and its undoing.
enum RadioFault: CaseIterable, CustomTestStringConvertible {
  case adapterOff, adapterReplaced, bluetoothdStopped, bluetoothdKilled, boardsDropped

  var testDescription: String { "\(self)" }

  @Loop func begin(_ radio: Radio) {
    switch self {
    case .adapterOff: radio.bluez.powerOff()
    case .adapterReplaced: radio.bluez.unplug()
    case .bluetoothdStopped: radio.bluez.stop()
    case .bluetoothdKilled: radio.bluez.kill()
    case .boardsDropped:
      for board in [radio.doorRadio, radio.boardRadio] {
        board.isAdvertising = false
        board.drop()
      }
    }
  }

  @Loop func end(_ radio: Radio) async throws {
    switch self {
    case .adapterOff: radio.bluez.powerOn()
    case .adapterReplaced: radio.bluez.plug(as: "hci1")
    case .bluetoothdStopped, .bluetoothdKilled: try await radio.bluez.start()
    case .boardsDropped:
      radio.doorRadio.isAdvertising = true
      radio.boardRadio.isAdvertising = true
    }
  }
}

struct `The bridge with a radio that fails` {
  @Test(arguments: RadioFault.allCases)
  func `says so, refuses commands, serves the plug, and finds the boards again`(
    fault: RadioFault
  ) async throws {
    try await withRadio { house, radio in
      try await house.startWithRadio()
      var seen = house.recorder.messages.count
      await fault.begin(radio)
      try await house.message(on: "door/availability", from: seen) { $0.text == "offline" }
      try await house.message(on: "board/availability", from: seen) { $0.text == "offline" }

      seen = house.recorder.messages.count
      try await house.publish("LOCK", to: "door/lock/set")
      let failure = try await house.failure(from: seen)
      #expect(failure.device == "door" && ["away", "link_error"].contains(failure.reason))
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.state("power") == "ON" }

      seen = house.recorder.messages.count
      try await fault.end(radio)
      try await house.radioSettled(from: seen)
      #expect(await radio.door.received == [])
      try await house.publish("LOCK", to: "door/lock/set")
      try await house.message(on: "door", from: seen) { $0.state("lock") == "LOCKED" }
      #expect(await radio.door.received == [[0x31]])
    }
  }

  @Test func `each notification is delivered once after many reconnects`() async throws {
    try await withRadio { house, radio in
      try await house.startWithRadio()
      for _ in 0..<4 {
        let seen = house.recorder.messages.count
        await { @Loop in radio.boardRadio.drop() }()
        try await house.message(on: "board/availability", from: seen) { $0.text == "offline" }
        try await house.message(on: "board/availability", from: seen) { $0.text == "online" }
      }
      let seen = house.recorder.messages.count
      await { @Loop in
        for number in 0..<100 { radio.board.say("n\(number)") }
      }()
      try await house.message(on: "board/rx", from: seen) { $0.text == "n99" }
      let texts = house.recorder.messages.all[seen...]
        .filter { $0.topic == "sketch2mqtt/board/rx" }.map(\.text)
      #expect(texts == (0..<100).map { "n\($0)" })
    }
  }

  @Test func `raw bytes go both ways`() async throws {
    try await withRadio { house, radio in
      try await house.startWithRadio()
      await { @Loop in radio.board.onPacket = { radio.board.say($0) } }()
      try await house.publish("hello board", to: "board/tx")
      try await house.message(on: "board/rx") { $0.text == "hello board" }
      #expect(await radio.board.received.map { String(decoding: $0, as: UTF8.self) } == ["hello board"])
    }
  }

  @Test func `without a bus the bridge stays, says what is missing, and serves the plug`() async throws {
    try await withHouse(configured: { text in
      text.top = ["bluetooth: { bus: \"unix:path=/nonexistent/bus\" }"]
      text.devices.append("{ name: Door, kind: pet_door, link: { ble: \"\(Radio.doorAddress)\" } }")
    }) { house in
      try await house.startAndSettle()
      try await house.message(on: "bridge/main/info") { $0.text.contains("no D-Bus") }
      let seen = house.recorder.messages.count
      try await house.publish("LOCK", to: "door/lock/set")
      #expect(try await house.failure(from: seen).reason == "away")
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug", from: seen) { $0.state("power") == "ON" }
    }
  }
}
