import Adapters
import Bridge
import Configuration
import DeviceModel
import EventLoop
import JSON
import TestSupport
import Testing

/// A bridge in this process, with kinds of device made for tests, and a broker of its own.
@Loop final class Lodge {
  nonisolated let folder: TemporaryDirectory
  nonisolated let broker: Mosquitto
  nonisolated let recorder: MQTTRecorder
  nonisolated let log = Inbox<String>("the bridge's log")
  var text: ConfigurationText
  private var bridge: Bridge?

  init() async throws {
    folder = try TemporaryDirectory()
    broker = try await Mosquitto(Mosquitto.Options())
    recorder = try await MQTTRecorder(port: broker.port)
    text = ConfigurationText(servers: ["mqtt://127.0.0.1:\(broker.port)"])
  }

  func close() async {
    await stop()
    recorder.disconnect()
    try? await broker.kill()
  }

  private static let kinds = Probe.kinds + Registry.kinds

  // MARK: the bridge

  /// Starts a bridge; what ran before is left as a killed process would leave it.
  func start() async throws {
    let seen = recorder.messages.count
    let log = Log(level: .debug) { [log] level, text in log.append("\(level.rawValue): \(text)") }
    let bridge = Bridge(try settings(), log: log) { [weak self] in
      Result { () throws(ConfigurationProblems) in
        guard let self else { throw ConfigurationProblems(lines: []) }
        return try self.settings()
      }
    }
    self.bridge = bridge
    bridge.start()
    try await recorder.message(on: "sketch2mqtt/bridge/main/state", from: seen) { $0.text == "online" }
  }

  func stop() async {
    await bridge?.stop()
    bridge = nil
  }

  var running: Bridge {
    get throws { try #require(bridge) }
  }

  func reload() -> ConfigurationProblems? { bridge?.reload() }

  private func settings() throws(ConfigurationProblems) -> BridgeSettings {
    let read = Configuration.read(
      Array(text.text.utf8), file: "test.yaml", kinds: Self.kinds, environment: { _ in nil })
    guard let configuration = read.configuration else {
      throw ConfigurationProblems(lines: read.problems.map(\.description))
    }
    let state = folder("state")
    let made = BridgeSettings.make(from: configuration, kinds: Self.kinds) {
      $0 == "STATE_DIRECTORY" ? state : nil
    }
    guard let settings = made.settings else {
      throw ConfigurationProblems(lines: made.problems.map(\.description))
    }
    return settings
  }

  // MARK: the broker

  nonisolated func publish(_ text: String, to topic: String, retain: Bool = false) async throws {
    try await recorder.publish(text, to: topic, retain: retain)
  }

  /// Tells a probe what to do.
  nonisolated func order(_ text: String, _ device: String = "probe") async throws {
    try await publish(text, to: "sketch2mqtt/\(device)/do/set")
  }

  /// All that a probe heard, as soon as something that fits is among it.
  @discardableResult
  nonisolated func heard(
    by device: String = "probe", from seen: Int = 0, _ matches: @escaping @Sendable (String) -> Bool
  ) async throws -> [String] {
    let message = try await recorder.message(on: "sketch2mqtt/\(device)", from: seen) {
      Self.heard(in: $0).contains(where: matches)
    }
    return Self.heard(in: message)
  }

  @discardableResult
  nonisolated func heard(
    by device: String = "probe", from seen: Int = 0, _ text: String
  ) async throws -> [String] {
    try await heard(by: device, from: seen) { $0 == text }
  }

  /// All that a probe heard which is not about to go.
  @discardableResult
  nonisolated func heardAnew(
    by device: String = "probe", from seen: Int = 0, _ text: String
  ) async throws -> [String] {
    let message = try await recorder.message(on: "sketch2mqtt/\(device)", from: seen) {
      let heard = Self.heard(in: $0)
      return heard.contains(text) && !heard.contains("stopping")
    }
    return Self.heard(in: message)
  }

  /// What a probe that was begun anew remembered.
  nonisolated func remembered(by device: String = "probe", from seen: Int = 0) async throws -> String? {
    try await heardAnew(by: device, from: seen, "broker true").first
  }

  private nonisolated static func heard(in message: RecordedMessage) -> [String] {
    (try? message.json["heard"])?.list.compactMap(\.text) ?? []
  }

  nonisolated func request(_ name: String, _ text: String = "") async throws -> Value {
    let seen = recorder.messages.count
    try await publish(text, to: "sketch2mqtt/bridge/main/request/\(name)")
    return try await recorder.message(on: "sketch2mqtt/bridge/main/response/\(name)", from: seen).json
  }
}

/// Runs a test with a bridge that has these devices.
func withLodge(
  _ devices: [String], top: [String] = [], mqtt: [String] = [],
  _ body: @escaping @Loop @Sendable (Lodge) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  await Turnstile.shared.enter()
  defer { Turnstile.shared.leave() }
  let lodge = try await Lodge()
  do {
    try await lodge.run(devices, top: top, mqtt: mqtt, body)
    await lodge.close()
  } catch {
    await lodge.close()
    throw HouseFailure(cause: error, log: lodge.log.all)
  }
}

extension Lodge {
  fileprivate func run(
    _ devices: [String], top: [String], mqtt: [String], _ body: @Loop (Lodge) async throws -> Void
  ) async throws {
    text.devices = devices
    text.top = top
    text.mqtt = mqtt
    try await start()
    try await body(self)
  }
}
