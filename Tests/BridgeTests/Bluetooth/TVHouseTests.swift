import DeviceModel
import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

private typealias LivingRoom = OnAir<TVBoard>

extension LivingRoom {
  /// What has left for the board takes a moment to be there.
  fileprivate func keys(become keys: String) async throws { try await board.wait { $0.keys == keys } }
}

/// Runs a test in a house whose only board is `tv`; `links` are others than the board's.
private func withLivingRoom(
  links: String = "", _ body: (House, LivingRoom) async throws -> Void
) async throws {
  try await withBoard(
    { TVBoard() },
    device: """
      { name: TV, kind: tv_volume, options: { key_interval: 100ms, block: 64 }, \
      links: { board: { ble: \"\(Air.boardAddress)\" }\(links) } }
      """
  ) { house, room in
    try await house.start(awaiting: "tv")
    try await body(house, room)
  }
}

struct `The bridge with a TV` {
  @Test func `plays keys by hand`() async throws {
    try await withLivingRoom { house, room in
      try await house.publish("PRESS", to: "tv/volume_up/set")
      try await house.message(on: "tv") { $0.state("last_key") == "up" }
      try await house.publish("PRESS", to: "tv/volume_down/set")
      try await house.message(on: "tv") { $0.state("last_key") == "down" }
      try await room.keys(become: "ID")
      #expect(await room.board.volume == 29)
    }
  }

  @Test func `levels by levels from a topic, and keeps what was set over a restart`() async throws {
    try await withLivingRoom { house, room in
      try await house.publish(#"{"levelling":"ON","target":-30}"#, to: "tv/set")
      try await house.message(on: "tv") { $0.state("levelling") == "ON" && $0.state("target") == -30 }
      try await house.publish("-10", to: "tv/level/set")
      try await house.message(on: "tv") { $0.state("last_key") == "down" && $0.state("level") == -10 }
      try await room.keys(become: "D")

      var seen = house.recorder.messages.count
      try await house.publish("3", to: "tv/level/set")
      #expect(try await house.failure(from: seen).reason == "out_of_range")
      seen = house.recorder.messages.count
      try await house.publish("-10", to: "tv/level/set", retain: true)
      #expect(try await house.failure(from: seen).reason == "retained")

      #expect(try await house.bridge.terminate() == .code(0))
      let later = house.recorder.messages.count
      try house.start()
      try await house.message(on: "tv", from: later) {
        $0.state("levelling") == "ON" && $0.state("target") == -30
      }
    }
  }

  @Test func `levels by what a capture command prints, and tells when it dies`() async throws {
    let folder = try TestSupport.TemporaryDirectory()
    // Half of full scale, some blocks of it, then a while of nothing.
    let loud = String(repeating: "\0@", count: 64 * 40)
    try folder.write(loud, to: "loud")
    let command = "echo $$ > \(folder("pid")); cat \(folder("loud")); exec sleep 300"
    try await withLivingRoom(links: ", microphone: { capture: [/bin/sh, -c, '\(command)'] }") { house, room in
      try await house.message(on: "tv") { $0.state("level") == -6 }
      #expect(await room.board.keys == "")
      let number = try String(contentsOfFile: folder("pid"), encoding: .utf8)
      let pid = try #require(Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)))
      let seen = house.recorder.messages.count
      kill(pid, SIGKILL)
      try await house.message(on: "tv/event", from: seen) { $0.text.contains("microphone_lost") }
      try await house.message(on: "tv", from: seen) { $0.state("level") == .unknown }
      // It is started again, and heard again.
      try await house.message(on: "tv", from: seen) { $0.state("level") == -6 }
    }
  }
}
