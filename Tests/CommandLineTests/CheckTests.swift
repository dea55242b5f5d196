import Foundation
import TestSupport
import Testing

/// `check`, and what `run` does with a configuration that `check` does not like.
struct CheckTests {
  private let directory: TestSupport.TemporaryDirectory
  private var environment: [String: String] { ["HOME": directory.path, "PATH": "/usr/bin:/bin"] }

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func run(_ line: [String], _ extra: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run(
      Program.sketch2mqtt, line, environment: environment.merging(extra) { $1 },
      directory: URL(filePath: directory.path))
  }

  static let good = """
    mqtt: { server: mqtt://127.0.0.1:1, base_topic: home }
    devices:
      - name: Garden plug
        kind: power_plug
        link: { tcp: 192.0.2.4:230, poll: 20s }
    """

  static let bad = """
    mqtt: { server: mqtt://127.0.0.1:1, bas_topic: home }
    devices:
      - name: Garden plug
        kind: power_plgu
        link: { tcp: 192.0.2.4:230 }
      - name: garden plug
        kind: power_plug
        link: { tcp: 192.0.2.4:99999 }
    """

  @Test func `what would run is told on standard output`() async throws {
    try directory.write(Self.good, to: "good.yaml")
    let result = try await run(["check", "--config", "good.yaml"])
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.hasPrefix("good.yaml: no mistakes\n"))
    for part in [
      "mqtt://127.0.0.1:1", "home/", "garden_plug", "power_plug", "tcp 192.0.2.4:230", "every 20s",
    ] {
      #expect(result.output.contains(part))
    }
  }

  @Test func `every mistake is told on a line with its place`() async throws {
    try directory.write(Self.bad, to: "bad.yaml")
    let result = try await run(["check", "--config", "bad.yaml"])
    #expect(result.status == 78 && result.output == "")
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("bad.yaml:1:37: ") && $0.contains("did you mean 'base_topic'?") })
    #expect(lines.contains { $0.hasPrefix("bad.yaml:4:11: ") && $0.contains("did you mean 'power_plug'?") })
    #expect(lines.contains { $0.hasPrefix("bad.yaml:6:11: ") && $0.contains("already") })
    #expect(lines.contains { $0.hasPrefix("bad.yaml:8:18: ") })
    #expect(lines.last == "sketch2mqtt: bad.yaml: \(lines.count - 1) mistakes")
  }

  @Test func `a rover and a garage door are on a wire when their boards speak in lines`() async throws {
    let key = "3bc599b71fd1cd13a37da10fc7c915ab8bb529e7ef41ddc3f36d313f9739255b"
    func devices(_ rover: String, _ garage: String) -> String {
      """
      mqtt: { server: mqtt://127.0.0.1:1 }
      devices:
        - { name: Rover, kind: rover, link: { tcp: "192.0.2.7:230" }, options: { \(rover) } }
        - name: Garage
          kind: garage_door
          link: { serial: /dev/ttyACM0 }
          options: { persons: [{ name: Anna, pin: "48151" }]\(garage) }
      """
    }
    try directory.write(devices("form: lines", ", key: \"\(key)\""), to: "lines.yaml")
    let good = try await run(["check", "--config", "lines.yaml"])
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.output.contains("tcp 192.0.2.7:230") && good.output.contains("/dev/ttyACM0"))
    #expect(!good.output.contains("on demand") && !good.output.contains("on_demand"), "a wire is held")
    try directory.write(devices("", ""), to: "classic.yaml")
    let bad = try await run(["check", "--config", "classic.yaml"])
    let lines = bad.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains("'tcp'") && $0.contains("'form: lines' in the options") })
    #expect(lines.contains { $0.contains("'serial'") && $0.contains("'key' stands in the options") })
    #expect(lines.count == 3)
  }

  @Test func `a warning is told and stops nothing`() async throws {
    try directory.write("mqtt: { username: u, password: secret }\n", to: "open.yaml", mode: 0o644)
    let result = try await run(["check", "--config", "open.yaml"])
    #expect(result.status == 0 && result.errors.contains("open.yaml:1:") && result.errors.contains("warning"))
    #expect(!result.errors.contains("secret}") && !result.output.contains("secret"))
  }

  @Test(arguments: ["check", "run"])
  func `no configuration at all is told with the places that were looked at`(command: String) async throws {
    let result = try await run([command])
    #expect(result.status == 78 && result.output == "")
    #expect(result.errors.contains("\(directory.path)/.config/sketch2mqtt/config.yaml"))
    #expect(result.errors.contains("/etc/sketch2mqtt/config.yaml"))
    let missing = try await run([command, "--config", "missing.yaml"])
    #expect(missing.status == 78 && missing.errors.contains("missing.yaml"))
  }

  @Test func `the user's own place is found`() async throws {
    try FileManager.default.createDirectory(
      atPath: directory("x/sketch2mqtt"), withIntermediateDirectories: true)
    try directory.write(Self.good, to: "x/sketch2mqtt/config.yaml")
    let result = try await run(["check"], ["XDG_CONFIG_HOME": directory("x")])
    #expect(result.status == 0 && result.output.hasPrefix(directory("x/sketch2mqtt/config.yaml")))
  }

  @Test func `run refuses what check refuses`() async throws {
    try directory.write(Self.bad, to: "bad.yaml")
    let check = try await run(["check", "--config", "bad.yaml"])
    let run = try await run(["run", "--config", "bad.yaml"])
    #expect(run.status == 78 && run.output == "")
    for line in check.errors.split(separator: "\n").dropLast() { #expect(run.errors.contains(line)) }
  }
}
