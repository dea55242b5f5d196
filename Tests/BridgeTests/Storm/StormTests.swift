import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// Faults from all sides at once. `STORM_SEED` replays a storm, `STORM_SECONDS` and `STORM_ROUNDS` make longer and
/// more of them; `STORM_DISK` is a small file system that they fill up.
struct `The bridge in a storm` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let length = Duration.seconds(environment["STORM_SECONDS"].flatMap { Int($0) } ?? 8)
  private static let plugs = 3

  /// Even seeds never kill the bridge, odd ones may.
  private static let seeds: [UInt64] = {
    if let seed = environment["STORM_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let first = UInt64.random(in: 0..<1_000_000)
    return (0..<UInt64(environment["STORM_ROUNDS"].flatMap { UInt64($0) } ?? 2)).map { first + $0 }
  }()

  /// A small file system of its own for what the bridge remembers.
  private static let disk = environment["STORM_DISK"]

  /// For all to be back: the back-off's longest pause, and as much again.
  private static let patience = Duration.seconds(120)
  /// What a process may grow by in kB beside its work of the first seconds.
  private static let growth = 4 << 10

  @Test(arguments: seeds)
  func `comes out of it with everything right, and nothing done twice or late`(seed: UInt64) async throws {
    let replay = "STORM_SEED=\(seed) STORM_SECONDS=\(Self.length.components.seconds)"
    print("storm: \(replay)")
    var options = House.Options()
    options.plugs = Self.plugs
    options.memory = Self.disk.map { "\($0)/\(seed)" }
    let schedule = StormSchedule(seed: seed, length: Self.length, plugs: Self.plugs)
    options.broker.persistence = schedule.persistence
    #expect(LoopThread.started)
    let drone = try await SimulatedDrone()
    do {
      try await closing({ await drone.stop() }) {
        try await withRadio(options) { house, radio in
          try house.configure { text in
            text.mqtt.append("keep_alive: 5s")
            text.devices = text.devices.map {
              $0.replacing("poll: 1s", with: "poll: 1s, connect_timeout: 2s")
            }
            text.devices.append(drone.device())
          }
          let disk = StormDisk(stateFile: house.stateFile, isSmall: Self.disk != nil)
          try await Self.weather(Storm(schedule, house, radio, drone, disk: disk))
        }
      }
    } catch {
      throw StormDamage(what: "to see it again: \(replay)", found: ["\(error)"])
    }
  }

  @Loop private static func weather(_ storm: Storm) async throws {
    let house = storm.house
    let calm = Calm(house: house, radio: storm.radio, drone: storm.drone)
    try await storm.begin()
    try await calm.settle(within: .patience, "before the storm") { try await calm.problems() }
    // A plug's link comes and goes.
    let descriptors = try house.bridge.openDescriptors + plugs
    let memory = try #require(try house.bridge.residentKilobytes)

    try await storm.run()
    try await clear(storm.retained, in: house)
    // A session that a fault has spoiled may outlast it, and commands with it: two new ones prove that it is over.
    let clients = house.plugs.map { $0.acceptedClients + 2 }
    try await calm.settle(within: patience, "after the storm") {
      let waiting = zip(house.plugIDs, zip(house.plugs, clients)).filter { $1.0.acceptedClients < $1.1 }
      var problems = waiting.map { "\($0.0) was not read again" }
      if storm.drone.body.stage != .landed {
        // Nobody has told it to.
        storm.publish(.land)
        problems.append("the drone is \(storm.drone.body)")
      }
      return problems + (try await calm.problems())
    }
    try await calm.settle(within: patience, "what the bridge remembers") { calm.forgotten() }
    try await expectOneEach(storm, calm)
    try await calm.settle(within: .patience, "descriptors") {
      let open = try house.bridge.openDescriptors
      return open <= descriptors ? [] : ["\(open) are open, \(descriptors) were"]
    }
    let growth = try #require(try house.bridge.residentKilobytes) - memory
    print(
      """
      storm: \(storm.ledger.sent.count) numbered commands, \(Set(storm.ledger.executed).count) carried out, \
      \(storm.ledger.forbidden.count) forbidden, \(storm.ledger.refusals) refused for certain; \
      the bridge grew by \(growth) kB
      """)
    #expect(growth <= Self.growth, "\(growth) kB")
  }

  @Loop private static func clear(_ topics: Set<String>, in house: House) async throws {
    let client = try await MQTTRecorder(port: house.broker.port)
    defer { client.disconnect() }
    for topic in topics { try await client.publish("", to: topic, retain: true) }
  }

  /// Asks each board for one thing: it gets that alone, and nothing of before.
  @Loop private static func expectOneEach(_ storm: Storm, _ calm: Calm) async throws {
    let first = 10_000
    let before = storm.ledger.executed.count
    let commands =
      (0..<plugs).map { StormCommand.activation(plug: $0, number: first + $0) } + [
        .text(number: first + plugs)
      ]
    for command in commands { storm.publish(command) }
    storm.publish(.lock(true))
    let takeOffs = storm.takeOffs
    storm.publish(.takeOff)
    try await calm.settle(within: .patience, "commands after the storm") {
      let missing = commands.compactMap(\.number).filter { !storm.ledger.executed.contains($0) }
      let problems = missing.map { "command \($0) was not carried out" }
      let isLocked = storm.radio.door.sketch.isManuallyLocked
      let isFlying = storm.drone.body.stage == .flying
      return problems + (isLocked ? [] : ["the door is not locked"])
        + (isFlying ? [] : ["the drone does not fly"]) + (try await calm.problems())
    }
    let late = Set(storm.ledger.executed[before...]).subtracting(commands.compactMap(\.number))
    #expect(late.isEmpty, "carried out late: \(late.sorted())")
    #expect(storm.ledger.violations == [])
    for (plug, sent) in zip(storm.house.plugs, storm.switchingsSent) {
      #expect(plug.switchings.count <= sent)
    }
    #expect(storm.radio.door.received.count <= storm.locksSent)
    #expect(storm.takeOffs == takeOffs + 1 && storm.takeOffs <= storm.takeOffsSent)
  }
}
