import DeviceModel
import Foundation
import Simulation
import TestSupport
import Testing

struct `Secrets and encrypted connections` {
  private static let password = "corr3ct-h0rse"

  private func withTLS(
    _ password: String = Self.password, _ lines: [String] = [], _ body: (House) async throws -> Void
  ) async throws {
    let certificates = try await TestCertificates()
    var options = House.Options()
    let plainPort = FreePort.take()
    options.plainPort = plainPort
    options.broker.users = ["bridge": Self.password, "tester": "t3ster"]
    options.broker.certificates = certificates
    options.broker.lines = ["listener \(plainPort) 127.0.0.1"]
    try await withHouse(
      options,
      configured: { text in
        text.mqtt = [
          "username: bridge", "password: \(password)", "ca: \(certificates.authority)",
        ]
        text.top = ["log_level: debug"]
      }, body)
  }

  @Test func `a password is in no topic, no log line and no file, and TLS carries everything`() async throws {
    try await withTLS { house in
      try await house.startAndSettle()
      try await house.publish("ON", to: "plug/power/set")
      try await house.message(on: "plug") { $0.text.contains("\"power\":\"ON\"") }
      _ = try await house.request("health")
      _ = try await house.request("reload")
      // A mistake beside it is told, it is not.
      try house.configure { $0.mqtt.append("pasword: \(Self.password)") }
      #expect(try await house.request("reload")["status"] == "error")
      try await house.retainedTopics(become: house.topics())
      #expect(try await house.bridge.terminate() == .code(0))

      #expect(house.recorder.messages.all.allSatisfy { !$0.text.contains(Self.password) })
      #expect(house.log.allSatisfy { !$0.contains(Self.password) })
      let state = try String(contentsOfFile: house.stateFile, encoding: .utf8)
      #expect(!state.contains(Self.password))
      #expect(state.contains("sketch2mqtt/plug"))
      let mode = try FileManager.default.attributesOfItem(atPath: house.stateFile)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `a wrong password is named without being told`() async throws {
    try await withTLS("wr0ng-h0rse") { house in
      let bridge = try house.start()
      try await bridge.errors.first(within: .patience) { $0.contains("the broker refuses") }
      #expect(house.log.allSatisfy { !$0.contains("wr0ng-h0rse") })
      #expect(try await bridge.terminate() == .code(0))
    }
  }

  @Test func `a broker whose certificate is not trusted is not talked to`() async throws {
    try await withTLS { house in
      try house.configure { $0.mqtt.removeAll { $0.hasPrefix("ca:") } }
      let bridge = try house.start()
      try await bridge.errors.first(within: .patience) { $0.contains("TLS") }
      #expect(house.recorder.messages.all.allSatisfy { !$0.topic.hasPrefix("sketch2mqtt/") })
    }
  }
}
