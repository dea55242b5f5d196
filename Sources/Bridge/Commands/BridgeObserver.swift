public import DeviceModel
public import EventLoop
import JSON
import MQTT

/// Listens to a running bridge, as anybody may, and leaves no trace.
@Loop public final class BridgeObserver {
  private let topics: Topics
  private let interest: Interest
  private let client: MQTTClient
  private let handler: Handler

  /// What an observer is told.
  public enum News: Hashable, Sendable {
    case message(topic: String, [UInt8])
    /// The broker at this address is connected.
    case connected(String)
    /// No connection, with the reason; the next attempt follows by itself.
    case disconnected(String)
  }

  /// What is listened to.
  public enum Interest: Hashable, Sendable {
    /// Everything below the base topic, of other bridges too.
    case everything
    /// The capture of this device, and the answers to `capture`.
    case capture(device: String)
  }

  public init(
    _ settings: BridgeSettings, _ interest: Interest, _ onNews: @escaping @Loop (News) -> Void
  ) {
    topics = Topics(base: settings.baseTopic, bridge: settings.bridgeName)
    self.interest = interest
    handler = Handler(onNews)
    client = MQTTClient(settings.visitor("observe"), handler: handler)
  }

  /// Connects, and again after each loss.
  public func start() {
    for filter in filters { client.subscribe(Subscription(filter)) }
    client.start()
  }

  /// Nothing is told after it returns.
  public func stop() async { await client.stop() }

  /// Publishes a request; its answer comes like everything else. Ignored while there is no broker.
  public func request(_ name: String, _ parameters: Value.Members = Value.Members()) {
    guard client.isConnected else { return }
    client.publish(JSON.bytes(of: .object(parameters)), to: topics.request(name))
  }

  /// Publishes a device's command, as anybody may: `garden_plug/power/set`. Ignored while there is no broker.
  public func command(_ topic: String, _ payload: String) {
    guard client.isConnected else { return }
    client.publish(Array(payload.utf8), to: "\(topics.base)/\(topic)")
  }

  /// The answer to a request of this name, if that is what came.
  public func answer(to request: String, in topic: String, _ payload: [UInt8]) -> Value.Members? {
    guard topic == topics.response(request), case .object(let members)? = try? JSON.parse(payload) else {
      return nil
    }
    return members
  }

  private var filters: [TopicFilter] {
    let texts =
      switch interest {
      case .everything: ["\(topics.base)/#"]
      case .capture(let device): [topics.response("capture"), topics.capture(device)]
      }
    return texts.compactMap { try? TopicFilter($0) }
  }

  @Loop private final class Handler: MQTTHandler {
    private let onNews: @Loop (News) -> Void

    init(_ onNews: @escaping @Loop (News) -> Void) { self.onNews = onNews }

    func mqttConnected(_ session: MQTTSession) { onNews(.connected(session.server.description)) }
    func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
      if retry != nil { onNews(.disconnected(reason.description)) }
    }
    func mqttReceived(_ message: Message) { onNews(.message(topic: message.topic, message.payload)) }
    func mqttNoticed(_ notice: MQTTNotice) {
      guard case .subscriptionRefused(let filter, let refusal) = notice else { return }
      onNews(.disconnected("the broker does not let us listen to \(filter): \(refusal)"))
    }
  }
}
