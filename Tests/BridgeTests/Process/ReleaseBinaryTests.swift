import DeviceModel
import Foundation
import JSON
import Simulation
import TestSupport
import Testing

/// What the program as it ships occupies: `make build` puts it there.
struct `The release binary with 50 plugs` {
  private static let path = Program.packageRoot.appending(path: ".build/release/sketch2mqtt").path

  /// The promise to the owner of a small machine, in kB.
  private static let residentLimit = 18 << 10
  private static let privateLimit = 6 << 10

  @Test func `stays within 18 MB resident, 6 MB of it private`() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.path),
      "\(Self.path) is missing: build it with `make build` (`make test` does)")
    var options = House.Options()
    options.plugs = 50
    options.program = Self.path
    options.plugSlots = (0..<10).map {
      PlugSlot(
        name: "Activation \($0)", start: 4_000_000_000 + 3600 * $0, lengthMinutes: 10, periodMinutes: 1440)
    }
    try await withHouse(options) { house in
      try await house.startAndSettle()
      try await house.retainedTopics(become: house.topics())
      // Work of each kind, so that what is made at first use is made.
      let seen = house.recorder.messages.count
      for id in house.plugIDs { try await house.publish("ON", to: "\(id)/power/set") }
      for id in house.plugIDs {
        try await house.message(on: id, from: seen) { $0.text.contains("\"power\":\"ON\"") }
      }
      try await house.recorder.publish("online", to: "homeassistant/status")
      try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
      #expect(try await house.request("reload")["status"] == "ok")
      _ = try await house.request("health")
      let memory = try #require(Memory(of: try house.bridge.pid))
      #expect(memory.residentKilobytes <= Self.residentLimit, "\(memory)")
      #expect(memory.privateKilobytes <= Self.privateLimit, "\(memory)")
    }
  }
}

/// What a process occupies, from `/proc`.
private struct Memory {
  var residentKilobytes: Int
  /// Not shared with files.
  var privateKilobytes: Int

  init?(of pid: Int32) {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
    func kilobytes(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        .flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }
    guard let resident = kilobytes("VmRSS"), let anonymous = kilobytes("RssAnon") else { return nil }
    (residentKilobytes, privateKilobytes) = (resident, anonymous)
  }
}
