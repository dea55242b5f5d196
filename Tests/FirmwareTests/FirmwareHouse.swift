import DeviceModel
import EventLoop
import JSON
import TestSupport
import Testing

/// A broker, a recorder of all that is said there, and the bridge as a process.
final class FirmwareHouse: Sendable {
  let folder: TemporaryDirectory
  let recorder: MQTTRecorder
  private let broker: Mosquitto
  let bridge: ChildProcess

  /// - Parameter sections: lines of the configuration besides the broker.
  private init(_ sections: String) async throws {
    folder = try TemporaryDirectory()
    broker = try await Mosquitto()
    recorder = try await MQTTRecorder(port: broker.port)
    try Self.configure(sections, folder, broker)
    bridge = try ChildProcess(
      Program.sketch2mqtt, ["run", "--config", folder("config.yaml")],
      environment: ["STATE_DIRECTORY": folder.path])
  }

  /// Runs `body` in a house, and shows what the bridge said when it fails.
  static func with(
    _ sections: String, _ body: @Loop (FirmwareHouse) async throws -> Void
  ) async throws {
    let house = try await FirmwareHouse(sections)
    do {
      try await body(house)
      if house.bridge.isRunning { try await house.bridge.terminate() }
      try await house.stop()
    } catch {
      if house.bridge.isRunning { try await house.bridge.kill9() }
      try await house.stop()
      throw HouseFailure(cause: error, log: house.bridge.errors.all)
    }
  }

  private static func configure(
    _ sections: String, _ folder: TemporaryDirectory, _ broker: Mosquitto
  ) throws {
    try folder.write("mqtt: { server: mqtt://127.0.0.1:\(broker.port) }\n\(sections)\n", to: "config.yaml")
  }

  /// Has the bridge read other lines of the configuration.
  func reload(_ sections: String) async throws {
    try Self.configure(sections, folder, broker)
    let answer = try await request("reload")
    #expect(answer["status"] == "ok")
  }

  /// The broker dies, and is not started again.
  func loseBroker() async throws { try await broker.kill() }

  private func stop() async throws {
    recorder.disconnect()
    try await broker.stop()
  }

  /// How many messages there were so far: `from` for what comes later.
  var seen: Int { recorder.messages.count }

  @discardableResult
  func message(
    _ topic: String, from seen: Int = 0,
    where matches: @escaping @Sendable (RecordedMessage) -> Bool = { _ in true }
  ) async throws -> RecordedMessage {
    try await recorder.message(on: "sketch2mqtt/\(topic)", from: seen, within: .seconds(60), where: matches)
  }

  func publish(_ text: String, to topic: String) async throws {
    try await recorder.publish(text, to: "sketch2mqtt/\(topic)")
  }

  /// Sends a request and awaits its answer.
  func request(_ name: String, _ text: String = "") async throws -> Value {
    let seen = self.seen
    try await publish(text, to: "bridge/main/request/\(name)")
    return try JSON.parse(await message("bridge/main/response/\(name)", from: seen).payload)
  }
}

struct HouseFailure: Error, CustomStringConvertible {
  let cause: any Error
  let log: [String]
  var description: String {
    "\(cause)\nThe bridge said:\n  \(log.suffix(30).joined(separator: "\n  "))"
  }
}

extension RecordedMessage {
  /// A member of a state's object; nil for what is no object or does not have it.
  func state(_ name: String) -> Value? {
    guard case .object(let members)? = try? JSON.parse(payload) else { return nil }
    return members[name]
  }
}

extension Value {
  subscript(name: String) -> Value? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var list: [Value] {
    if case .list(let values) = self { values } else { [] }
  }
}
