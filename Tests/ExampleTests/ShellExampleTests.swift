import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The scripts of `examples/shell`, run as they stand.
struct ShellExampleTests {
  init() { _ = LoopThread.started }

  @Test @Loop func `plug switches, and says what the bridge refuses`() async throws {
    try await ExampleHouse.with { house in
      for (action, power) in [("on", "ON"), ("toggle", "OFF"), ("toggle", "ON"), ("off", "OFF")] {
        let before = house.owner.messages.count
        let result = try await house.shell("plug garden_plug \(action)")
        #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result.errors)")
        try await house.message("garden_plug", from: before) { $0.contains(#""power":"\#(power)""#) }
      }
      #expect(try await house.shell("plug garden_plug on").status == 0)
      let released = try await house.shell("plug garden_plug automatic")
      #expect(released.status == 0 && released.output == "" && released.errors == "", "\(released.errors)")
      #expect(try await house.shell("plug garden_plug automatic now").status == 64)
      house.plug.faults.reachability = .refuses
      let refused = try await house.shell("plug garden_plug on")
      #expect(refused.status == 1 && refused.output == "")
      #expect(refused.errors.hasPrefix("garden_plug: garden_plug: connection refused"))
    }
  }

  @Test @Loop func `plug edits the schedule`() async throws {
    try await ExampleHouse.with { house in
      // Awkward for JSON, for sed and for the shell.
      let name = #"we "b\ ]},{ $'"#
      let quoted = #"'we "b\ ]},{ $'\'''"#
      for line in [
        "plug garden_plug put pump '2097-05-01 06:00 UTC' 30 1440",
        "plug garden_plug put \(quoted) '2097-05-01 08:00 +02:00' 45",
        "plug garden_plug put pump '2097-05-01 07:00 UTC' 20 1440",
      ] {
        let result = try await house.shell(line)
        #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result.errors)")
      }
      let list = try await house.shell("plug garden_plug list")
      #expect(
        list.output == "pump\t2097-05-01T07:00:00Z\t20\t1440\n\(name)\t2097-05-01T06:00:00Z\t45\t0\n")
      #expect(try await house.shell("plug garden_plug delete \(quoted)").status == 0)
      #expect(try await house.shell("plug garden_plug list").output.hasPrefix("pump\t"))

      let unknown = try await house.shell("plug garden_plug delete nothing")
      #expect(unknown.status == 1)
      #expect(unknown.errors == "garden_plug: there is no activation named 'nothing'\n")
      let overlong = try await house.shell("plug garden_plug put pump '2097-05-01 07:00 UTC' 40 30")
      #expect(overlong.status == 1 && overlong.errors.contains("less than the period of 30 minutes"))
      #expect(try await house.shell("plug garden_plug put pump someday 40").status == 64)
      #expect(try await house.shell("plug garden_plug put pump").status == 64)
      #expect(
        try await house.shell("plug no_such_plug on").errors
          == "no_such_plug: the bridge has no such device\n")
    }
  }

  @Test @Loop func `left-behind runs its command once for each exit and each entry`() async throws {
    try await ExampleHouse.with { house in
      let watcher = try ChildProcess(
        "/bin/sh", ["-c", "exec left-behind keys echo"], environment: house.environment)
      try await house.message("keys") { $0.contains(#""presence":"home""#) }
      for round in 0..<2 {
        house.keys.isAdvertising = false
        let gone = try await watcher.output.first(from: 2 * round)
        #expect(gone.hasPrefix("keys: left behind, last heard 20"))
        house.keys.isAdvertising = true
        #expect(try await watcher.output.first(from: 2 * round + 1) == "keys: back")
      }
      #expect(try await watcher.terminate() == .code(1))
      try await expectNothingRuns(in: house)
    }
  }

  @Test @Loop func `door-alert runs its command once for each jam`() async throws {
    try await ExampleHouse.with { house in
      let alert = try ChildProcess(
        "/bin/sh", ["-c", "exec door-alert pet_door cat"], environment: house.environment)
      for jam in 1...2 {
        house.door.environment.isLatchJammed = true
        let before = house.owner.messages.count
        #expect(try await house.shell("mosquitto_pub -t sketch2mqtt/pet_door/lock/set -m LOCK").status == 0)
        try await house.message("pet_door", from: before) { $0.contains(#""lock":"JAMMED""#) }
        // Another message about the same jam.
        #expect(try await house.shell("mosquitto_pub -t sketch2mqtt/pet_door/get -n").status == 0)
        house.door.environment.isLatchJammed = false
        try await house.message("pet_door", from: before) { $0.contains(#""lock":"LOCKED""#) }
        #expect(try await house.shell("mosquitto_pub -t sketch2mqtt/pet_door/lock/set -m UNLOCK").status == 0)
        try await house.message("pet_door", from: before) { $0.contains(#""lock":"UNLOCKED""#) }
        try await alert.output.first(from: jam - 1)
        #expect(alert.output.count == jam)
        #expect(alert.output.all.last?.hasPrefix(#"{"lock":"JAMMED""#) == true)
      }
      #expect(try await alert.terminate() == .code(1))
      try await expectNothingRuns(in: house)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  @Loop func `the scripts that go on for ever end when they are told to, with all that they started`(
    signal: Int32
  ) async throws {
    try await ExampleHouse.with { house in
      let lines = [
        "door-alert pet_door sh -c 'echo alerted; exec sleep 1000'", "uart-log weather",
        "uart-log weather humidity", "BRIDGE=no_such_bridge WAIT=1000 plug garden_plug on",
      ]
      // At once, and while all that there is to be started runs.
      for isAtWork in [false, true] {
        let children = try lines.map {
          try ChildProcess("/bin/sh", ["-c", "exec env \($0)"], environment: house.environment)
        }
        if isAtWork {
          house.door.environment.isLatchJammed = true
          #expect(try await house.shell("mosquitto_pub -t sketch2mqtt/pet_door/lock/set -m LOCK").status == 0)
          try await children[0].output.first { $0 == "alerted" }
          for child in children[1...2] {
            for _ in 0..<1200 where child.output.count == 0 {
              house.say("humidity:1")
              _ = try? await child.output.first(within: .milliseconds(50))
            }
          }
        }
        for child in children { child.send(signal) }
        for child in children { #expect(try await child.exit() != .code(0)) }
        try await expectNothingRuns(in: house)
      }
    }
  }

  @Loop private func expectNothingRuns(in house: ExampleHouse) async throws {
    _ = await eventually { house.running.isEmpty }
    #expect(house.running == [])
  }

  @Test @Loop func `uart-log writes lines and picks numbers`() async throws {
    try await ExampleHouse.with { house in
      let lines = try ChildProcess(
        "/bin/sh", ["-c", "exec uart-log weather"], environment: house.environment)
      let numbers = try ChildProcess(
        "/bin/sh", ["-c", "exec uart-log weather humidity"], environment: house.environment)
      // Nothing tells that they are subscribed but that they hear something.
      for _ in 0..<200 where lines.output.count == 0 || numbers.output.count == 0 {
        house.say("humidity:1")
        _ = try? await numbers.output.first(within: .milliseconds(50))
      }
      for line in ["temperature:-3.5;humidity:40", "nothing", "not_humidity:7 humidity = +41.5%"] {
        house.say(line)
      }
      try await lines.output.first { $0.hasSuffix("\tnot_humidity:7 humidity = +41.5%") }
      let stamp = #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d{4}\t"#
      let isStamped = try Regex("^\(stamp)")
      #expect(lines.output.all.allSatisfy { $0.firstMatch(of: isStamped) != nil })
      try await numbers.output.first { $0.hasSuffix("\t+41.5") }
      let picked = numbers.output.all.map { String($0.replacing(isStamped, with: "")) }
      #expect(Array(picked.drop { $0 == "1" }) == ["40", "+41.5"])
      for child in [lines, numbers] { try await child.terminate() }
      try await expectNothingRuns(in: house)
    }
  }

  @Test @Loop func `sound-level tells how loud it is`() async throws {
    try await ExampleHouse.with { house in
      let directory = try TestSupport.TemporaryDirectory()
      // A block of half of full scale, one of silence, and the beginning of a third.
      let sound =
        (0..<8192).flatMap { _ in [0x00, 0x40] as [UInt8] } + [UInt8](repeating: 0, count: 16384) + [0, 1]
      try Data(sound).write(to: URL(filePath: directory("sound")))
      let before = house.owner.messages.count
      let result = try await house.shell("RECORD='cat \(directory("sound"))' sound-level tv")
      #expect(result.status == 0 && result.errors == "", "\(result.errors)")
      try await house.owner.messages.first(from: before, within: .seconds(60)) {
        $0.topic == "sketch2mqtt/tv/level/set" && $0.text == "-42.1"
      }
      let levels = house.owner.messages.all.dropFirst(before)
        .filter { $0.topic == "sketch2mqtt/tv/level/set" }.map(\.text)
      #expect(levels == ["-6.0", "-120.0", "-42.1"])
      #expect(house.refusals == [])
    }
  }

  @Test @Loop func `the lines of the crontab do what they say`() async throws {
    try await ExampleHouse.with { house in
      let text = try String(
        contentsOf: ExampleHouse.shellFolder.appending(path: "crontab"), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("PATH=") }
      let commands = lines.map { line in
        let words = line.split(maxSplits: line.hasPrefix("@") ? 1 : 5, whereSeparator: { $0 == " " })
        return String((words.last ?? "").drop { $0 == " " })
      }
      #expect(commands.count == 6)
      let listener = try #require(commands.last)
      let refused = try ChildProcess("/bin/sh", ["-c", "exec \(listener)"], environment: house.environment)
      for (command, effect) in zip(
        commands,
        [
          #""power":"ON""#, #""power":"OFF""#, #""power":"ON""#, #""manual_lock":"ON""#,
          #""manual_lock":"OFF""#,
        ])
      {
        let before = house.owner.messages.count
        let result = try await house.shell(command)
        #expect(result.status == 0 && result.output == "" && result.errors == "", "\(command)")
        let device = command.hasPrefix("plug") ? "garden_plug" : "pet_door"
        try await house.message(device, from: before) { $0.contains(effect) }
      }
      #expect(house.refusals == [])
      #expect(try await house.shell("mosquitto_pub -t sketch2mqtt/pet_door/lock/set -m OPEN").status == 0)
      try await house.message("bridge/main/event")
      let file = try #require(house.environment["HOME"]) + "/refused-commands.jsonl"
      let isWritten = { (try? String(contentsOfFile: file, encoding: .utf8))?.contains("invalid") == true }
      #expect(await eventually { isWritten() })
      // Asked to end, mosquitto_sub can lock itself up.
      try await refused.kill9()
    }
  }
}
