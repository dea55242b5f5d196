import DeviceModel
import EventLoop
import Simulation
import TestSupport
import Testing

/// Runs a test in a house whose only board is `tv`, with a newer sketch.
private func withNewerTV(_ body: (House, NewerTVBoard) async throws -> Void) async throws {
  try await withBoard(
    { NewerTVBoard() },
    device: "{ name: TV, kind: tv_volume, options: { form: lines }, link: { ble: \"\(Air.boardAddress)\" } }"
  ) { house, room in
    try house.start()
    // In lines it has what the older form has not.
    try await house.message(on: "tv") { $0.text.contains(#""code":"#) }
    try await body(house, room.board)
  }
}

struct `The bridge with a TV's newer board` {
  @Loop private func played(_ wanted: [String], by board: NewerTVBoard) async throws {
    try await board.wait { $0.played.count >= wanted.count }
    #expect(board.played == wanted)
    #expect(board.nonsense == [])
  }

  @Test func `plays keys, codes by name, and codes as they are sent`() async throws {
    try await withNewerTV { house, board in
      try await house.publish("PRESS", to: "tv/volume_up/set")
      try await played(["volume_up"], by: board)
      try await house.publish("mute", to: "tv/code/set")
      try await house.message(on: "tv") { $0.state("code") == "mute" }
      let timings = Array(repeating: "562,-562,562,-1687", count: 16).joined(separator: ",")
      try await house.publish(
        #"{"timings":[9000,-4500,\#(timings),562],"modulation":38000,"repeat_count":0}"#,
        to: "tv/infrared/set")
      let code = "38000 Hz: 9000 -4500 " + timings.split(separator: ",").joined(separator: " ") + " 562"
      try await played(["volume_up", "mute", code], by: board)
      try await house.publish(#"{"infrared":{"timings":[600,-600,1200],"modulation":40000}}"#, to: "tv/set")
      try await played(["volume_up", "mute", code, "40000 Hz: 600 -600 1200"], by: board)
    }
  }

  @Test func `refuses codes that no board should play, and retained ones`() async throws {
    try await withNewerTV { house, board in
      for (payload, reason) in [
        ("loud", "invalid"), (#"{"timings":[]}"#, "invalid"), (#"{"timings":[5]}"#, "out_of_range"),
        (#"{"timings":[562],"modulation":1}"#, "out_of_range"),
      ] {
        let seen = house.recorder.messages.count
        try await house.publish(payload, to: "tv/infrared/set")
        #expect(try await house.failure(from: seen).reason == reason)
      }
      var seen = house.recorder.messages.count
      try await house.publish(#"{"timings":[562]}"#, to: "tv/infrared/set", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")
      seen = house.recorder.messages.count
      try await house.publish("x", to: "tv/infrared_received/set")
      #expect(try await house.failure(from: seen).reason == "read_only")
      try await house.publish("power", to: "tv/code/set")
      try await played(["power"], by: board)
    }
  }

  @Test func `tells what the receiver sees, not retained, and announces both to Home Assistant`() async throws
  {
    try await withNewerTV { house, board in
      for _ in 0..<2 {
        let seen = house.recorder.messages.count
        await board.see(["b5,0;d562,1687,4500,9000;t00032", "t002010"])
        let message = try await house.message(on: "tv/infrared_received", from: seen)
        #expect(message.text == #"{"timings":[9000,-4500,562,-1687,562],"modulation":null}"#)
        #expect(!message.isRetained)
      }
      for (key, words) in [
        ("infrared", #""schema":"emitter""#),
        ("infrared_received", #""state_topic":"sketch2mqtt/tv/infrared_received""#),
      ] {
        try await house.recorder.message(
          on: "homeassistant/infrared/sketch2mqtt_main_tv-alone/\(key)/config", within: .patience
        ) { $0.text.contains(words) }
      }
      try await house.announced("tv") { $0.contains("code") && !$0.contains("infrared") }
      // It is no part of the state.
      #expect(
        !house.recorder.messages.all.contains { $0.topic == "sketch2mqtt/tv" && $0.text.contains("infrared") }
      )
    }
  }
}
