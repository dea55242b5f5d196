import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// What stands on the owner's pages is so: their lines are run as pasted, their words are looked up.
struct PageTests {
  init() { _ = LoopThread.started }

  private static let sources = Program.packageRoot.appending(path: "Sources")

  private static func page(_ name: String) throws -> String {
    try String(
      contentsOf: sources.appending(path: "sketch2mqtt/sketch2mqtt.docc/\(name).md"), encoding: .utf8)
  }

  private static func blocks(_ language: String, of page: String) throws -> [String] {
    let parts = try Self.page(page).components(separatedBy: "\n```")
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
      .filter { $0.hasPrefix("\(language)\n") }
      .map { String($0.dropFirst(language.count + 1)) }
  }

  private static func lines(_ language: String, of page: String) throws -> [String] {
    try blocks(language, of: page).flatMap { $0.split(separator: "\n").map(String.init) }
  }

  @Test(arguments: [
    "PowerPlug", "PetDoor", "Rover", "TVVolume", "Drone", "UART", "GATT", "Beacons", "Troubleshooting",
  ])
  @Loop func `the lines to copy are taken`(page: String) async throws {
    try await ExampleHouse.with { house in
      let lines = try Self.lines("sh", of: page)
      #expect(lines.count >= 3)
      var listeners: [ChildProcess] = []
      for line in lines {
        if line.hasPrefix("mosquitto_sub ") {
          listeners.append(
            try ChildProcess("/bin/sh", ["-c", "exec \(line)"], environment: house.environment))
        } else {
          let before = house.owner.messages.count
          let result = try await house.shell(line)
          #expect(result.status == 0 && result.errors == "", "\(line): \(result.errors)")
          try await Self.effect(of: line, from: before, in: house)
        }
      }
      #expect(house.refusals == [])
      for listener in listeners {
        #expect(listener.isRunning)
        // Asked to end, mosquitto_sub can lock itself up.
        try await listener.kill9()
      }
    }
  }

  /// Awaits what a published line brings about, so that the next one does not overtake it.
  @Loop private static func effect(of line: String, from count: Int, in house: ExampleHouse) async throws {
    if line.contains("/request/") {
      let name = try #require(line.firstMatch(of: /\/request\/([\w\/]+)/)?.1)
      let answer = try await house.message("bridge/main/response/\(name)", from: count)
      #expect(answer.hasPrefix(#"{"status":"ok""#), "\(line): \(answer)")
    } else if line.contains("weather/tx") {
      let sent = house.weather.received.count
      if sent < 2 { try await house.weather.wait { $0.received.count > sent } }
    } else if line.contains("/infrared/set") {
      try await house.remote.wait { $0.played.contains { $0.contains("Hz") } }
      #expect(house.remote.played.last == "40000 Hz: 2400 -600 1200 -600 600")
    } else if line.contains("drone/take_off") {
      // It takes a target in the air only.
      try await house.message("drone", from: count) { $0.contains(#""activity":"hovering""#) }
    } else {
      let device = try #require(line.firstMatch(of: /sketch2mqtt\/(\w+)\//)?.1)
      try await house.message(String(device), from: count)
    }
  }

  @Test(arguments: [
    ("PowerPlug", "garden_plug"), ("PetDoor", "pet_door"), ("Rover", "rover"), ("TVVolume", "tv"),
    ("Drone", "drone"), ("Beacons", "keys"),
  ])
  @Loop func `the state on a page has the members that a board's state has`(
    page: String, device: String
  ) async throws {
    let written = try #require(try Self.blocks("json", of: page).first)
    try await ExampleHouse.with { house in
      if device == "garden_plug" {
        let activation = #"{"name":"pump","start":"2097-05-01T06:00:00Z","length":30,"period":1440}"#
        try await house.owner.publish(activation, to: "sketch2mqtt/garden_plug/schedule/put")
        try await house.message(device) { $0.contains("pump") }
      }
      let state = try #require(house.owner.latest["sketch2mqtt/\(device)"]?.text)
      let member = /"(\w+)":/
      #expect(written.matches(of: member).map(\.1) == state.matches(of: member).map(\.1))
    }
  }

  @Test(arguments: [
    "PowerPlug", "PetDoor", "Rover", "TVVolume", "Drone", "UART", "GATT", "Beacons", "Profiles", "Garage",
  ])
  func `the configuration on a page has no mistakes`(page: String) async throws {
    let directory = try TestSupport.TemporaryDirectory()
    let devices = try #require(try Self.blocks("yaml", of: page).first)
    let file = try directory.write("mqtt: { server: mqtt://localhost }\n\(devices)\n", to: "config.yaml")
    let result = try await Program.run(Program.sketch2mqtt, ["check", "--config", file])
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
  }

  /// Names of boards and roles, and the system's own words.
  private static let foreignWords: Set<String> = [
    "garden_plug", "pet_door", "weather", "board", "Permission denied",
  ]

  @Test func `the words that troubleshooting quotes are the program's`() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    let code = try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: Self.sources.appending(path: $0), encoding: .utf8)
    }.joined(separator: "\n")
    let lines =
      try Self.lines("log", of: "Troubleshooting")
      + Self.page("Container").matches(of: /\n\| `([^`]+)` \|/).map { String($0.1) }
      .filter { $0.hasSuffix(": …") }
    #expect(lines.count > 40)
    for line in lines {
      let pieces = line.split(separator: /…|: |[()]/).map { $0.trimming { $0 == " " || $0 == ":" } }
      for piece in pieces where piece.count > 2 && !Self.foreignWords.contains(String(piece)) {
        let isThere = code.contains(piece)
        #expect(isThere, "'\(piece)' of '\(line)'")
      }
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
    var rest = drop(while: isTrimmed)
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return rest
  }
}
