import Foundation
import Simulation
import TestSupport
import Testing

@testable import sketch2mqtt

/// `monitor` as a person at a shell meets it, beside a bridge that runs.
struct MonitorTests {
  private let directory: TestSupport.TemporaryDirectory

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func configure(port: UInt16) throws -> String {
    try directory.write(
      """
      mqtt: { server: mqtt://127.0.0.1:\(port) }
      devices:
        - name: Garden plug
          kind: power_plug
          link: { tcp: "127.0.0.1:\(FreePort.take())" }

      """, to: "config.yaml")
  }

  @Test func `in a pipe it tells every change in a line`() async throws {
    let broker = try await Mosquitto()
    let configuration = try configure(port: broker.port)
    let monitor = try ChildProcess(Program.sketch2mqtt, ["monitor", "--config", configuration])
    try await monitor.output.first { $0.contains(" broker connected: ") }
    let bridge = try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", configuration],
      environment: ["STATE_DIRECTORY": directory.path])
    try await monitor.output.first { $0.hasSuffix(" bridge main is online") }
    try await monitor.output.first { $0.contains(" garden_plug board tcp not connected, ") }
    try await ChildProcess.run(
      "/bin/sh", ["-c", "mosquitto_pub -p \(broker.port) -t sketch2mqtt/garden_plug/power/set -m ON"])
    try await monitor.output.first { $0.contains(#" bridge event {"event_type":"command_failed""#) }
    #expect(monitor.output.all.contains { $0.hasSuffix(" garden_plug is offline") })

    #expect(try await bridge.terminate() == .code(0))
    try await monitor.output.first { $0.hasSuffix(" bridge main is offline") }
    monitor.send(SIGINT)
    #expect(try await monitor.exit() == .code(0))
    #expect(monitor.errors.all == [])
  }

  @Test func `without a broker it says why, and goes on`() async throws {
    let port = FreePort.take()
    let configuration = try configure(port: port)
    let monitor = try ChildProcess(Program.sketch2mqtt, ["monitor", "--config", configuration])
    try await monitor.output.first { $0.contains(" broker not connected: ") }
    let broker = try await Mosquitto(port: port)
    try await monitor.output.first { $0.contains(" broker connected: ") }
    #expect(try await monitor.terminate() == .code(0))
    _ = broker
  }

  @Test func `it ends by itself after the seconds it was given`() async throws {
    let result = try await Program.run(
      Program.sketch2mqtt, ["monitor", "--seconds", "1", "--config", try configure(port: FreePort.take())])
    #expect(result.status == 0 && result.errors == "")
  }

  @Test func `a wrong configuration starts nothing`() async throws {
    let wrong = try directory.write("devices: 3\n", to: "wrong.yaml")
    let result = try await Program.run(Program.sketch2mqtt, ["monitor", "--config", wrong])
    #expect(
      result.status == 78 && result.errors.hasPrefix("\(wrong):1:10: devices: found text; expected a list"))
    #expect(result.errors.hasSuffix("\nsketch2mqtt: \(wrong): 1 mistake\n"))
  }
}
