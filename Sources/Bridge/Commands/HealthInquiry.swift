import DeviceModel
import EventLoop
import Glibc
import JSON
import MQTT

extension BridgeSettings {
  /// Asks the bridge that runs with these settings, wherever that is, for its health: over the broker, as anybody
  /// may.
  ///
  /// - Returns: What `bridge/<bridge>/health` says, as JSON.
  @Loop public func healthOfRunningBridge(within limit: Duration) async throws(HealthFailure) -> String {
    let inquiry = HealthInquiry(self)
    let result = await inquiry.result(within: limit)
    await inquiry.stop()
    return try result.get()
  }
}

/// Why a bridge did not tell its health.
public enum HealthFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection to the broker, with the last reason.
  case noBroker(String)
  case noAnswer(bridge: String, within: Duration)

  public var description: String {
    switch self {
    case .noBroker(let reason): "no broker: \(reason)"
    case .noAnswer(let bridge, let limit):
      "the bridge '\(bridge)' does not answer within \(limit.configurationText)"
    }
  }
}

/// One question, by a client that leaves no trace: it has another name than the bridge's, and no will.
@Loop private final class HealthInquiry: MQTTHandler {
  private let topics: Topics
  private let transaction = Value.text("health-\(getpid())")
  private let settings: MQTTSettings
  private lazy var client = MQTTClient(settings, handler: self)
  private var failure: HealthFailure?
  private var waiter: CheckedContinuation<Result<String, HealthFailure>, Never>?
  private var deadline: LoopTimer?

  init(_ bridge: BridgeSettings) {
    topics = Topics(base: bridge.baseTopic, bridge: bridge.bridgeName)
    var settings = bridge.broker.settings(topics: topics)
    settings.clientID = "sketch2mqtt-health-\(getpid())"
    settings.will = nil
    self.settings = settings
  }

  func result(within limit: Duration) async -> Result<String, HealthFailure> {
    failure = .noAnswer(bridge: topics.bridge, within: limit)
    return await Loop.suspend { continuation in
      waiter = continuation
      deadline = LoopTimer(after: limit) { [weak self] in self?.giveUp() }
      if let filter = try? TopicFilter(topics.response("health")) { client.subscribe(Subscription(filter)) }
      client.start()
    }
  }

  func stop() async { await client.stop() }

  private func giveUp() {
    if let failure { finish(.failure(failure)) }
  }

  private func finish(_ result: Result<String, HealthFailure>) {
    deadline?.cancel()
    waiter?.resume(returning: result)
    waiter = nil
  }

  func mqttConnected(_ session: MQTTSession) {
    let request = Value.object(Value.Members([("transaction", transaction)]))
    client.publish(JSON.bytes(of: request), to: topics.request("health"))
  }

  func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
    failure = .noBroker("\(reason)")
  }

  func mqttReceived(_ message: Message) {
    guard case .object(let answer)? = try? JSON.parse(message.payload),
      answer["transaction"] == transaction, let data = answer["data"]
    else { return }
    finish(.success(String(decoding: JSON.bytes(of: data), as: UTF8.self)))
  }

  func mqttHasRoom() {}
  func mqttSubscriptionRefused(_ filter: TopicFilter, _ refusal: Refusal) {}
}
