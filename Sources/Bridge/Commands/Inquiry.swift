public import DeviceModel
import EventLoop
import Glibc
import JSON
import MQTT

extension BridgeSettings {
  /// Asks the bridge that runs with these settings, wherever that is, over the broker, as anybody may.
  ///
  /// - Parameters:
  ///   - request: A name below `bridge/<bridge>/request/`.
  ///   - parameters: The members of the request; a `transaction` is added.
  ///   - limit: How long to wait for a broker and the answer together.
  /// - Returns: The `data` of the answer.
  @Loop public func askRunningBridge(
    _ request: String, _ parameters: Value.Members = Value.Members(), within limit: Duration
  ) async throws(InquiryFailure) -> Value {
    let inquiry = Inquiry(self, request, parameters)
    let result = await inquiry.result(within: limit)
    await inquiry.stop()
    return try result.get()
  }
}

/// Why a bridge did not answer a request.
public enum InquiryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No connection to the broker, with the last reason.
  case noBroker(String)
  case noAnswer(bridge: String, within: Duration)
  /// The broker does not pass on the question, or the answer.
  case notAllowed(String)
  /// It answered with this error.
  case refused(String)

  public var description: String {
    switch self {
    case .noBroker(let reason): "no broker: \(reason)"
    case .noAnswer(let bridge, let limit):
      "the bridge '\(bridge)' does not answer within \(limit.configurationText)"
    case .notAllowed(let reason), .refused(let reason): reason
    }
  }
}

/// One question, by a client that leaves no trace: it has another name than the bridge's, and no will.
@Loop private final class Inquiry: MQTTHandler {
  private let topics: Topics
  private let request: String
  private let parameters: Value.Members
  private let transaction: Value
  private let settings: MQTTSettings
  private lazy var client = MQTTClient(settings, handler: self)
  private var failure: InquiryFailure?
  private var waiter: CheckedContinuation<Result<Value, InquiryFailure>, Never>?
  private var deadline: LoopTimer?

  init(_ bridge: BridgeSettings, _ request: String, _ parameters: Value.Members) {
    topics = Topics(base: bridge.baseTopic, bridge: bridge.bridgeName)
    self.request = request
    self.parameters = parameters
    transaction = .text("ask-\(getpid())")
    settings = bridge.visitor("ask")
  }

  func result(within limit: Duration) async -> Result<Value, InquiryFailure> {
    failure = .noAnswer(bridge: topics.bridge, within: limit)
    return await Loop.suspend { continuation in
      waiter = continuation
      deadline = LoopTimer(after: limit) { [weak self] in self?.giveUp() }
      if let filter = try? TopicFilter(topics.response(request)) { client.subscribe(Subscription(filter)) }
      client.start()
    }
  }

  func stop() async { await client.stop() }

  private func giveUp() {
    if let failure { finish(.failure(failure)) }
  }

  private func finish(_ result: Result<Value, InquiryFailure>) {
    deadline?.cancel()
    waiter?.resume(returning: result)
    waiter = nil
  }

  func mqttConnected(_ session: MQTTSession) {
    var members = parameters
    members["transaction"] = transaction
    client.publish(JSON.bytes(of: .object(members)), to: topics.request(request))
  }

  func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
    failure = .noBroker("\(reason)")
  }

  func mqttReceived(_ message: Message) {
    guard case .object(let answer)? = try? JSON.parse(message.payload),
      answer["transaction"] == transaction
    else { return }
    if case .text(let error)? = answer["error"] {
      finish(.failure(.refused(error)))
    } else {
      finish(.success(answer["data"] ?? .unknown))
    }
  }

  func mqttNoticed(_ notice: MQTTNotice) {
    switch notice {
    case .publishRefused(let topic, let refusal):
      finish(.failure(.notAllowed("the broker does not let us publish to '\(topic)': \(refusal)")))
    case .subscriptionRefused(let filter, let refusal):
      finish(.failure(.notAllowed("the broker does not let us subscribe to '\(filter)': \(refusal)")))
    case .dropped, .hasRoom: break
    }
  }
}

extension BridgeSettings {
  /// The same broker for a client that is not the bridge: another name, and no will.
  @Loop func visitor(_ purpose: String) -> MQTTSettings {
    var settings = broker.settings(topics: Topics(base: baseTopic, bridge: bridgeName))
    settings.clientID = "sketch2mqtt-\(purpose)-\(getpid())"
    settings.will = nil
    return settings
  }
}
