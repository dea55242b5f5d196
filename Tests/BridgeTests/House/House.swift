import Foundation
import DeviceModel
import EventLoop
import Simulation
import Synchronization
import TestSupport
import Testing

/// A broker, boards, a folder, and the bridge as a process: all of a test's own, on free ports.
final class House: Sendable {
  let folder: TemporaryDirectory
  let broker: Mosquitto
  /// Sees everything on the broker from before the first start of the bridge.
  let recorder: MQTTRecorder
  let plugs: [SimulatedPowerPlug]
  private let content: Mutex<ConfigurationText>
  private let running = Mutex<[ChildProcess]>([])
  private let program: String
  /// Where the bridge keeps what it remembers.
  let memory: String
  private let plainPort: UInt16
  /// The password of the broker's user `tester`.
  private let user: String?

  struct Options: Sendable {
    var broker = Mosquitto.Options()
    var plugs = 1
    var plugSlots: [PlugSlot] = []
    var plugOptions = PlugSketchOptions.classic
    var program = Program.sketch2mqtt
    /// Where the test's own clients connect; nil for the broker's first port.
    var plainPort: UInt16?
    /// A folder for what the bridge remembers; nil for one in the house's own.
    var memory: String?
  }

  init(_ options: Options) async throws {
    #expect(LoopThread.started)
    program = options.program
    folder = try TemporaryDirectory()
    memory = options.memory ?? folder("state")
    broker = try await Mosquitto(options.broker)
    plainPort = options.plainPort ?? broker.port
    user = options.broker.users.first { $0.key == "tester" }?.value
    recorder = try await MQTTRecorder(
      port: plainPort, username: user.map { _ in "tester" }, password: user)
    let scheme = options.broker.certificates == nil ? "mqtt" : "mqtts"
    var plugs: [SimulatedPowerPlug] = []
    for _ in 0..<options.plugs {
      plugs.append(
        try await SimulatedPowerPlug(
          options: options.plugOptions, slots: options.plugSlots, clock: .startingNow()))
    }
    self.plugs = plugs
    var text = ConfigurationText(servers: ["\(scheme)://127.0.0.1:\(broker.port)"])
    text.devices = plugs.enumerated().map { index, plug in
      ConfigurationText.plug(plugs.count == 1 ? "Plug" : "Plug \(index + 1)", on: plug.port)
    }
    content = Mutex(text)
    try folder.write(text.text, to: "sketch2mqtt.yaml")
  }

  var plug: SimulatedPowerPlug { plugs[0] }
  var stateFile: String { "\(memory)/sketch2mqtt/main.json" }

  /// Returns when what devices remember is on the disk and fits; the disk tells nobody.
  func deviceMemory(_ fits: (String) -> Bool) async throws {
    let path = "\(memory)/sketch2mqtt/main.memory.json"
    var text = ""
    let isKept = await eventually {
      text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return fits(text)
    }
    try #require(isKept, "the memory is \(text)")
  }

  /// Ends all that runs.
  func close() async {
    for process in running.withLock({ $0 }) where process.isRunning { try? await process.kill9() }
    for plug in plugs { await plug.stop() }
    recorder.disconnect()
    try? await broker.kill()
  }

  // MARK: the bridge

  /// Writes the configuration anew.
  func configure(_ change: (inout ConfigurationText) -> Void) throws {
    let text = content.withLock { content in
      change(&content)
      return content.text
    }
    try folder.write(text, to: "sketch2mqtt.yaml")
  }

  /// Starts the bridge, or one more with a configuration of its own.
  @discardableResult
  func start(
    configuration: String = "sketch2mqtt.yaml", environment: [String: String] = [:], _ arguments: String...
  ) throws -> ChildProcess {
    let variables = ["XDG_STATE_HOME": memory, "TZ": "UTC"].merging(environment) { $1 }
    let process = try ChildProcess(
      program, ["run", "--config", folder(configuration)] + arguments, environment: variables)
    running.withLock { $0.append(process) }
    return process
  }

  /// The bridge started last.
  var bridge: ChildProcess {
    get throws { try #require(running.withLock { $0.last }) }
  }

  /// Starts the bridge and awaits it and this device.
  func start(awaiting device: String) async throws {
    let seen = recorder.messages.count
    try start()
    try await message(on: "bridge/main/state", from: seen) { $0.text == "online" }
    try await message(on: "\(device)/availability", from: seen) { $0.text == "online" }
  }

  /// Starts the bridge and awaits it and its boards.
  func startAndSettle() async throws {
    let seen = recorder.messages.count
    try start()
    try await settled(from: seen)
  }

  /// Starts the bridge and awaits all that it says by itself: nothing follows until something happens.
  func startAndBecomeQuiet() async throws {
    let seen = recorder.messages.count
    try await startAndSettle()
    for id in plugIDs {
      try await message(on: id, from: seen) { $0.text.contains("\"drift\":\"") }
    }
    // It follows within a second.
    try await message(on: "bridge/main/devices", from: seen) { !$0.text.contains("\"available\":false") }
  }

  /// The bridge said `online` and each board of the fixture was read.
  func settled(from seen: Int = 0) async throws {
    try await message(on: "bridge/main/state", from: seen) { $0.text == "online" }
    for id in plugIDs { try await message(on: "\(id)/availability", from: seen) { $0.text == "online" } }
  }

  var plugIDs: [String] { plugs.count == 1 ? ["plug"] : plugs.indices.map { "plug_\($0 + 1)" } }

  /// What the bridges said on standard error.
  var log: [String] { running.withLock { $0 }.flatMap(\.errors.all) }

  // MARK: the broker

  @discardableResult
  func message(
    on topic: String, from seen: Int = 0, within limit: Duration = .patience,
    where matches: @escaping @Sendable (RecordedMessage) -> Bool = { _ in true }
  ) async throws -> RecordedMessage {
    try await recorder.message(on: "sketch2mqtt/\(topic)", from: seen, within: limit, where: matches)
  }

  func publish(_ text: String, to topic: String, retain: Bool = false) async throws {
    try await recorder.publish(text, to: "sketch2mqtt/\(topic)", retain: retain)
  }

  /// A command that failed, from index `seen` of the recorded messages on.
  func failure(from seen: Int = 0, within limit: Duration = .patience) async throws -> Failure {
    let message = try await message(on: "bridge/main/event", from: seen, within: limit) {
      Failure($0) != nil
    }
    return try #require(Failure(message))
  }

  /// Sends a request and awaits its answer.
  func request(_ name: String, _ text: String = "") async throws -> Value {
    let seen = recorder.messages.count
    try await publish(text, to: "bridge/main/request/\(name)")
    return try await message(on: "bridge/main/response/\(name)", from: seen).json
  }

  /// What stands on the broker at this moment, as a client sees it that comes now.
  func retained(port: UInt16? = nil) async throws -> [String: RecordedMessage] {
    let client = try await MQTTRecorder(
      port: port ?? plainPort, username: user.map { _ in "tester" }, password: user)
    defer { client.disconnect() }
    try await client.publish("", to: "test/marker")
    let messages = client.messages
    try await messages.first(within: .patience) { $0.topic == "test/marker" }
    let replayed = messages.all.prefix { $0.topic != "test/marker" }.filter(\.isRetained)
    return Dictionary(replayed.map { ($0.topic, $0) }) { $1 }.filter { !$0.value.payload.isEmpty }
  }

  /// Waits until exactly `topics` stand on the broker.
  func retainedTopics(
    become topics: Set<String>, within limit: Duration = .patience,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
      let seen = recorder.messages.count
      let present = Set(try await retained().keys)
      if present == topics { return }
      let rest = ContinuousClock.now.duration(to: deadline)
      let next = try? await recorder.messages.first(from: seen, within: max(.zero, rest)) {
        $0.topic != "test/marker"
      }
      if next == nil {
        Issue.record(
          """
          left over: \(present.subtracting(topics).sorted()), missing: \(topics.subtracting(present).sorted())
          """, sourceLocation: sourceLocation)
        return
      }
    }
  }
}
