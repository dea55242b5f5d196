import DeviceModel
import EventLoop
import Foundation
import Glibc
import JSON
import Simulation
import TestSupport

/// How everything stands when nothing is wrong any more.
@Loop struct Calm {
  let house: House
  let radio: Radio
  let drone: SimulatedDrone

  /// What stands on the broker and is not so, or is missing.
  func problems() async throws -> [String] {
    let retained = try await house.retained()
    let present = Set(retained.keys)
    // A raw board has no property that Home Assistant could show.
    let expected = house.topics(of: house.plugIDs + ["door", "drone"])
      .union(["sketch2mqtt/board", "sketch2mqtt/board/availability"])
    var problems = present.subtracting(expected).sorted().map { "left over: \($0)" }
    problems += expected.subtracting(present).sorted().map { "missing: \($0)" }
    func expect(_ topic: String, _ isRight: (RecordedMessage) -> Bool) {
      guard let message = retained["sketch2mqtt/\(topic)"], !isRight(message) else { return }
      problems.append("\(topic): \(message.text.prefix(1500))")
    }
    expect("bridge/main/state") { $0.text == "online" }
    expect("bridge/main/devices") { message in
      let devices = message.state("devices")?.list ?? []
      return devices.count == house.plugs.count + 3 && devices.allSatisfy { $0["available"] == true }
    }
    expect("bridge/main/info") { $0.state("bluetooth")?["problem"] == .unknown }
    for id in house.plugIDs + ["door", "board", "drone"] {
      expect("\(id)/availability") { $0.text == "online" }
    }
    for (id, plug) in zip(house.plugIDs, house.plugs) {
      let table = plug.slots.filter { !$0.isFree }.map { "\($0.name) \($0.start)" }.sorted()
      expect(id) { message in
        message.state("power")?.text == (plug.applianceIsOn ? "ON" : "OFF")
          && message.state("mode")?.text == (plug.isManual ? "manual" : "automatic")
          && (message.state("schedule")?.list ?? []).map(Self.entry).sorted() == table
      }
    }
    let door = radio.door.sketch
    expect("door") { message in
      // A board that was connected to says its manual lock once, which may be lost: then nobody knows.
      message.state("latch")?.text == (door.isLatchOpen ? "ON" : "OFF")
        && message.state("lock")?.text == (door.isLatchOpen ? "UNLOCKED" : "LOCKED")
        && [nil, door.isManuallyLocked ? "ON" : "OFF"].contains(message.state("manual_lock")?.text)
        && message.state("temperature") == 20
    }
    expect("drone") { message in
      message.state("activity")?.text == (drone.body.stage == .landed ? "landed" : "hovering")
    }
    return problems
  }

  /// Topics on the broker that the bridge would not clear if their device were removed while it is off.
  func forgotten() -> [String] {
    let remembered = (try? String(contentsOfFile: house.stateFile, encoding: .utf8)) ?? ""
    // Nothing tells the bridge that its file was damaged: it finds that at its next start.
    if remembered == StormDisk.damage { return [] }
    guard remembered.hasSuffix("}") else {
      return ["\(house.stateFile) is not whole: \(remembered.suffix(80))"]
    }
    return (house.plugIDs + ["door", "board", "drone"]).map { "\"sketch2mqtt/\($0)/availability\"" }
      .filter { !remembered.contains($0) }.map { "\($0) is not remembered" }
  }

  private static func entry(_ activation: Value) -> String {
    let start = activation["start"]?.text.flatMap { Timestamp(iso8601: $0) }
    return "\(activation["name"]?.text ?? "?") \(start?.seconds ?? 0)"
  }

  /// Awaits that `problems` finds nothing, looking again whenever something is said.
  func settle(
    within limit: Duration, _ what: String, _ problems: () async throws -> [String]
  ) async throws {
    let client = try await MQTTRecorder(port: house.broker.port)
    defer { client.disconnect() }
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
      let seen = client.messages.count
      let found = try await problems()
      if found.isEmpty { return }
      guard ContinuousClock.now < deadline else { throw StormDamage(what: what, found: found) }
      _ = try? await client.messages.first(from: seen, within: .seconds(1)) { $0.topic != "test/marker" }
    }
  }
}

struct StormDamage: Error, CustomStringConvertible {
  let what: String
  let found: [String]
  var description: String { "\(what):\n  \(found.joined(separator: "\n  "))" }
}

extension ChildProcess {
  /// How many descriptors the process has open.
  var openDescriptors: Int {
    guard let directory = opendir("/proc/\(pid)/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
