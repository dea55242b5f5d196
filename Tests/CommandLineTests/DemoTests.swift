import Foundation
import TestSupport
import Testing

@testable import sketch2mqtt

/// The demo as a person at a shell meets it.
struct DemoTests {
  private let directory: TestSupport.TemporaryDirectory
  private var environment: [String: String] { ["TMPDIR": directory.path, "PATH": "/usr/bin:/bin"] }

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func start(_ arguments: [String] = []) throws -> ChildProcess {
    try ChildProcess(Program.sketch2mqtt, ["demo"] + arguments, environment: environment)
  }

  private var leftOver: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
  }

  /// The process ids of what a demo started, by name.
  private func companions(of demo: ChildProcess) throws -> [String: Int32] {
    let children = try String(contentsOfFile: "/proc/\(demo.pid)/task/\(demo.pid)/children", encoding: .utf8)
    let numbers = children.split(separator: " ").compactMap { Int32($0) }
    let named = try numbers.map { number in
      let name = try String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
      return (name.trimmingCharacters(in: .whitespacesAndNewlines), number)
    }
    let companions = Dictionary(uniqueKeysWithValues: named)
    try #require(companions.keys.sorted() == ["dbus-daemon", "mosquitto"])
    return companions
  }

  private func isAlive(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
      return false
    }
    return !status.contains("State:\tZ")
  }

  private func line(_ start: String, of demo: ChildProcess) async throws -> String {
    try await demo.output.first { $0.hasPrefix("  \(start)") }
  }

  @Test func `its lines to copy work as pasted`() async throws {
    let demo = try start()
    let listen = try await line("mosquitto_sub ", of: demo)
    try await demo.output.first { $0.hasSuffix("garden_plug is online") }
    let watch = try await demo.output.first { $0.contains(" monitor --config ") }
    let watcher = try ChildProcess("/bin/sh", ["-c", "exec \(watch) --seconds 5"])
    try await watcher.output.first { $0.hasSuffix("garden_plug is online") }
    let listener = try ChildProcess("/bin/sh", ["-c", "exec \(listen)"])
    try await listener.output.first { $0 == "sketch2mqtt/garden_plug/availability online" }

    for (part, effect) in [
      ("power/set", "garden_plug mode manual"), ("mode/set", "garden_plug mode automatic"),
      ("schedule/put", "pump"), ("greenhouse/pump/set", "greenhouse pump ON"),
    ] {
      let example = try #require(demo.output.all.first { $0.contains("mosquitto_pub") && $0.contains(part) })
      let before = demo.output.count
      try await ChildProcess.run("/bin/sh", ["-c", example])
      try await demo.output.first(from: before) { $0.contains(effect) }
    }
    #expect(!demo.output.all.contains { $0.contains("command_failed") })
    #expect(
      listener.output.all.contains { $0.hasPrefix("sketch2mqtt/garden_plug {") && $0.contains("manual") })
    demo.send(SIGINT)
    #expect(try await demo.exit() == .code(0))
    #expect(demo.errors.all == [])
    #expect(try leftOver == [])
    try await listener.terminate()
    #expect(try await watcher.exit() == .code(0))
  }

  @Test func `it ends by itself after the seconds it was given`() async throws {
    let demo = try start(["--seconds", "3"])
    #expect(try await demo.exit() == .code(0))
    let listen = try await line("mosquitto_sub ", of: demo)
    let port = try #require(listen.firstMatch(of: /-p (\d+)/).flatMap { UInt16($0.1) })
    #expect(!LoopbackPort.takesConnections(port))
    #expect(demo.output.all.contains { $0.hasSuffix("garden_plug is online") })
    #expect(try leftOver == [])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal at any time leaves nothing behind`(signal: Int32) async throws {
    let demo = try start()
    try await demo.output.first()
    let companions = try companions(of: demo)
    demo.send(signal)
    #expect(try await demo.exit() == .code(0))
    #expect(!companions.values.contains(where: isAlive))
    #expect(try leftOver == [])
  }

  @Test func `a demo that is killed takes its broker and its bus with it`() async throws {
    let demo = try start()
    try await demo.output.first { $0.hasSuffix("garden_plug is online") }
    let companions = try companions(of: demo)
    try await demo.kill9()
    #expect(await eventually { !companions.values.contains(where: isAlive) })
  }

  @Test func `a broker that dies ends the demo with a reason`() async throws {
    let demo = try start()
    try await demo.output.first { $0.hasSuffix("garden_plug is online") }
    kill(try #require(try companions(of: demo)["mosquitto"]), SIGKILL)
    #expect(try await demo.exit() == .code(1))
    #expect(demo.errors.all.contains { $0.contains("mosquitto ended") })
    #expect(try leftOver == [])
  }

  @Test func `without a place for its files it says so`() async throws {
    let result = try await Program.run(
      Program.sketch2mqtt, ["demo"], environment: ["TMPDIR": "/nonexistent", "PATH": "/usr/bin:/bin"])
    #expect(result.status == 1 && result.errors.contains("temporary directory"))
  }

  @Test func `without the firmware that it is to run it says how to make it`() async throws {
    let result = try await Program.run(
      Program.sketch2mqtt, ["demo", "--firmware"], environment: environment,
      directory: URL(filePath: directory.path))
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.contains(".build/arduino/simduino") && result.errors.contains("make firmware"))
    #expect(try leftOver == [])
  }

  @Test func `a pseudo-terminal gets a screen that is drawn over`() async throws {
    // script(1) gives the program a terminal.
    let demo = try ChildProcess(
      "/usr/bin/script",
      ["-qec", "stty cols 90 rows 40; exec \(Program.sketch2mqtt) demo --seconds 2", "/dev/null"],
      environment: environment)
    #expect(try await demo.exit(within: .seconds(60)) == .code(0))
    let text = demo.output.all.joined(separator: "\n")
    #expect(text.contains("\u{1B}[K") && text.contains("garden_plug  online"))
    #expect(try leftOver == [])
  }
}
