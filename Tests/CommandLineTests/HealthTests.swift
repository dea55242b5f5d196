import Foundation
import TestSupport
import Testing

/// `health` as a container's engine asks it.
struct HealthTests {
  private let directory: TestSupport.TemporaryDirectory

  init() throws { directory = try TestSupport.TemporaryDirectory() }

  private func configure(port: UInt16, user: String = "bridge", base: String = "home") throws -> String {
    try directory.write(
      "mqtt: { server: mqtt://127.0.0.1:\(port), username: \(user), password: secret, base_topic: \(base) }\n",
      to: "\(base).yaml")
  }

  private func ask(_ configuration: String) async throws -> ProgramResult {
    try await Program.run(Program.sketch2mqtt, ["health", "--config", configuration])
  }

  @Test func `a bridge that runs tells its health, and nobody notices who asked`() async throws {
    var options = Mosquitto.Options()
    options.users = ["bridge": "secret", "witness": "secret"]
    let broker = try await Mosquitto(options)
    let configuration = try configure(port: broker.port)
    let recorder = try await MQTTRecorder(
      port: broker.port, username: "witness", password: "secret")
    let bridge = try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", configuration],
      environment: ["STATE_DIRECTORY": directory.path])
    try await recorder.message(on: "home/bridge/main/state") { $0.text == "online" }

    let health = try await ask(configuration)
    #expect(health.status == 0 && health.errors == "")
    #expect(health.output.hasPrefix(#"{"uptime":"#) && health.output.hasSuffix("}\n"))
    #expect(health.output.contains(#""connected":true"#))
    #expect(recorder.latest["home/bridge/main/state"]?.text == "online")

    // One that hangs, one that is gone, one that is not there.
    bridge.send(SIGSTOP)
    let hanging = try await ask(configuration)
    #expect(hanging.status == 1 && hanging.output == "")
    #expect(hanging.errors == "sketch2mqtt: the bridge 'main' does not answer within 5s\n")
    bridge.send(SIGCONT)
    #expect(try await bridge.terminate() == .code(0))
    #expect(try await ask(try configure(port: broker.port, base: "elsewhere")).status == 1)
  }

  @Test func `without a broker, a password or a configuration it says so`() async throws {
    let nobody = try await ask(try configure(port: FreePort.take()))
    #expect(nobody.status == 1 && nobody.errors.hasPrefix("sketch2mqtt: no broker: cannot reach the broker"))
    var options = Mosquitto.Options()
    options.users = ["bridge": "another"]
    let broker = try await Mosquitto(options)
    let refused = try await ask(try configure(port: broker.port))
    #expect(refused.status == 1 && refused.errors.contains("no broker: the broker refuses: "))
    let wrong = try await ask(try directory.write("devices: 3\n", to: "wrong.yaml"))
    let file = directory("wrong.yaml")
    #expect(
      wrong.status == 78 && wrong.errors.hasPrefix("\(file):1:10: devices: found text; expected a list"))
    #expect(wrong.errors.hasSuffix("\nsketch2mqtt: \(file): 1 mistake\n"))
    #expect(try await ask(directory("missing.yaml")).status == 78)
  }
}
