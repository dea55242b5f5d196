public import EventLoop
import MQTT

/// Listens to everything below the base topic of a running bridge, as anybody may, and leaves no trace.
@Loop public final class BridgeObserver {
  private let topics: Topics
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

  public init(_ settings: BridgeSettings, _ onNews: @escaping @Loop (News) -> Void) {
    topics = Topics(base: settings.baseTopic, bridge: settings.bridgeName)
    handler = Handler(onNews)
    client = MQTTClient(settings.visitor("observe"), handler: handler)
  }

  public func start() {
    if let filter = try? TopicFilter("\(topics.base)/#") { client.subscribe(Subscription(filter)) }
    client.start()
  }

  public func stop() async { await client.stop() }

  /// Asks the bridge for its health; the answer comes like everything else.
  public func askForHealth() {
    guard client.isConnected else { return }
    client.publish(Array("{}".utf8), to: topics.request("health"))
  }

  @Loop private final class Handler: MQTTHandler {
    private let onNews: @Loop (News) -> Void

    init(_ onNews: @escaping @Loop (News) -> Void) { self.onNews = onNews }

    func mqttConnected(_ session: MQTTSession) { onNews(.connected(session.server.description)) }
    func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
      if retry != nil { onNews(.disconnected(reason.description)) }
    }
    func mqttReceived(_ message: Message) { onNews(.message(topic: message.topic, message.payload)) }
    func mqttHasRoom() {}
    func mqttSubscriptionRefused(_ filter: TopicFilter, _ refusal: Refusal) {
      onNews(.disconnected("the broker does not let us listen to \(filter): \(refusal)"))
    }
  }
}
