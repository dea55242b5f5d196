import Foundation
import TestSupport
import Testing

/// `run` as systemd and a shell see it.
struct RunTests {
  private let directory: TestSupport.TemporaryDirectory

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func configuration(port: UInt16, topic: String = "home", level: String = "info") -> String {
    """
    mqtt: { server: mqtt://127.0.0.1:\(port), base_topic: \(topic) }
    log_level: \(level)
    """
  }

  private func start(_ arguments: [String] = [], port: UInt16) throws -> ChildProcess {
    try directory.write(configuration(port: port), to: "config.yaml")
    return try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", directory("config.yaml")] + arguments,
      environment: ["STATE_DIRECTORY": directory.path])
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal says offline and ends it with status 0`(signal: Int32) async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let bridge = try start(port: broker.port)
    let state = "home/bridge/main/state"
    try await recorder.messages.first { $0.topic == state && $0.text == "online" }
    bridge.send(signal)
    #expect(try await bridge.exit() == .code(0))
    try await recorder.messages.first { $0.topic == state && $0.text == "offline" }
    #expect(bridge.output.all == [])
  }

  @Test func `a second signal does not wait`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let bridge = try start(port: broker.port)
    try await recorder.messages.first { $0.topic == "home/bridge/main/state" && $0.text == "online" }
    broker.freeze()
    defer { broker.thaw() }
    bridge.send(SIGTERM)
    try await bridge.errors.first { $0.hasSuffix("stopping") }
    bridge.send(SIGTERM)
    #expect(try await bridge.exit() == .code(1))
  }

  @Test func `a hang-up reads the configuration again, and a mistake changes nothing`() async throws {
    let broker = try await Mosquitto()
    let bridge = try start(port: broker.port)
    try await bridge.errors.first { $0.contains("connected") }
    try directory.write("devices: 3\n", to: "config.yaml")
    bridge.send(SIGHUP)
    try await bridge.errors.first { $0.contains("config.yaml:1:10: ") }
    try directory.write(configuration(port: broker.port, level: "debug"), to: "config.yaml")
    let before = bridge.errors.count
    bridge.send(SIGHUP)
    try await bridge.errors.first(from: before) { $0.contains("reloaded") }
    #expect(try await bridge.terminate() == .code(0))
  }

  @Test func `a log level on the command line counts more than the configuration's`() async throws {
    let broker = try await Mosquitto()
    let recorder = try await MQTTRecorder(port: broker.port)
    let bridge = try start(["--log-level", "error"], port: broker.port)
    try await recorder.messages.first { $0.topic == "home/bridge/main/state" && $0.text == "online" }
    #expect(try await bridge.terminate() == .code(0))
    #expect(bridge.errors.all == [])
  }

  @Test func `journald gets priorities and no times`() async throws {
    // A shell puts the device and inode of standard error where systemd would, and becomes the program.
    let broker = try await Mosquitto()
    try directory.write(configuration(port: broker.port), to: "config.yaml")
    let line = """
      JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec \(Program.sketch2mqtt) run --config \(directory("config.yaml"))
      """
    let bridge = try ChildProcess("/bin/sh", ["-c", line], environment: ["PATH": "/usr/bin:/bin"])
    try await bridge.errors.first { $0.hasPrefix("<6>connected") }
    #expect(try await bridge.terminate() == .code(0))
    #expect(bridge.errors.all.allSatisfy { $0.wholeMatch(of: /<[3467]>\D.*/) != nil })
  }

  @Test func `a person gets times and levels`() async throws {
    let bridge = try start(port: FreePort.take())
    try await bridge.errors.first { $0.contains("WARNING") }
    #expect(try await bridge.terminate() == .code(0))
    #expect(
      bridge.errors.all.allSatisfy {
        $0.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (info   |WARNING|ERROR  ) .*/) != nil
      })
  }
}
