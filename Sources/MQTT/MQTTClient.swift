public import EventLoop

/// A client of one MQTT broker, or of the first of several that answers. It connects again by itself and
/// subscribes again to everything.
///
/// It publishes only while connected and keeps no message for later, except those of QoS 1 and 2 which were sent
/// and not yet acknowledged when the connection broke: they are sent again, ahead of newer ones, when it is back
/// soon (``MQTTSettings/resendsWithin``).
///
/// Sessions are clean: the broker keeps nothing for this client while it is away.
@Loop public final class MQTTClient {
  public let settings: MQTTSettings
  public internal(set) var counters = MQTTCounters()
  weak let handler: (any MQTTHandler)?

  var state = State.stopped
  var handle: MosquittoHandle?
  var handleUsesTLS = false
  var version = MQTTVersion.v5
  /// Attempts that ran into the deadline, by server, while their thread is still in `mosquitto_connect`.
  var slowAttempts: [Int: MosquittoHandle] = [:]

  var plan: ReconnectPlan
  var versions: VersionChoice
  var takeOver: TakeOverRecognizer
  var refusal: Refusal?
  /// The broker has answered, and is to be asked with another version.
  var isLeavingForAnotherVersion = false
  var connectedSince: MonotonicTime?
  var lostAt: MonotonicTime?

  var subscriptions: [Subscription] = []
  var pendingSubscriptions: [Int32: TopicFilter] = [:]
  var refusedSubscriptions: RefusedSubscriptions
  var outstanding = OutstandingMessages()
  var refusedPublishes = RefusedPublishes()
  var isFull = false
  var stopping: Stopping?

  enum State {
    case stopped
    /// Until the timer fires.
    case waiting(LoopTimer)
    /// Until the broker answers or the deadline passes.
    case connecting(LoopTimer)
    case connected
    /// The last words are on their way.
    case leaving
  }

  /// `handler` is not kept alive.
  public init(_ settings: MQTTSettings, handler: any MQTTHandler) {
    self.settings = settings
    self.handler = handler
    plan = ReconnectPlan(
      serverCount: settings.servers.count,
      backOff: BackOff(
        first: settings.shortestRetry, longest: settings.longestRetry, healthyAfter: settings.healthyAfter))
    refusedSubscriptions = RefusedSubscriptions(
      BackOff(first: settings.shortestRetry * 5, longest: settings.longestRetry * 5))
    versions = VersionChoice(settings.version)
    takeOver = TakeOverRecognizer(youngUnder: settings.healthyAfter)
  }

  isolated deinit {
    switch state {
    case .waiting(let timer), .connecting(let timer): timer.cancel()
    case .stopped, .connected, .leaving: break
    }
  }

  public var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// Whether another publish is taken now, as far as the connection and its queue go.
  public var hasRoom: Bool { isConnected && outstanding.total < settings.outgoingLimit }

  /// Publishes now or not at all.
  ///
  /// - Parameters:
  ///   - payload: is copied before this returns.
  ///   - properties: are left out with MQTT 3.1.1.
  @discardableResult
  public func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, qos: QualityOfService = .atLeastOnce,
    retain: Bool = false, properties: MessageProperties? = nil
  ) -> PublishResult {
    guard isConnected, let handle else { return refuse(.notConnected) }
    guard outstanding.total < settings.outgoingLimit else {
      isFull = true
      return refuse(.full)
    }
    guard payload.count <= settings.payloadLimit else { return refuse(.tooLarge) }
    if TopicName.problem(with: topic) != nil { return refuse(.invalidTopic) }
    return send(payload, to: topic, qos: qos, retain: retain, properties: properties, through: handle).result
  }

  @discardableResult
  public func publish(
    _ payload: [UInt8], to topic: String, qos: QualityOfService = .atLeastOnce, retain: Bool = false,
    properties: MessageProperties? = nil
  ) -> PublishResult {
    payload.withUnsafeBytes { publish($0, to: topic, qos: qos, retain: retain, properties: properties) }
  }

  @discardableResult
  public func publish(
    text: String, to topic: String, qos: QualityOfService = .atLeastOnce, retain: Bool = false,
    properties: MessageProperties? = nil
  ) -> PublishResult {
    var text = text
    return text.withUTF8 {
      publish(UnsafeRawBufferPointer($0), to: topic, qos: qos, retain: retain, properties: properties)
    }
  }

  @discardableResult
  public func publish(_ publication: Publication) -> PublishResult {
    publish(publication.payload, to: publication.topic, qos: publication.qos, retain: publication.retain)
  }

  /// Subscribes now, if connected, and after each connect. The same filter again replaces how it is subscribed.
  public func subscribe(_ subscription: Subscription) {
    if let index = subscriptions.firstIndex(where: { $0.filter == subscription.filter }) {
      subscriptions[index] = subscription
    } else {
      subscriptions.append(subscription)
    }
    if isConnected { request(subscription) }
  }

  public func unsubscribe(_ filter: TopicFilter) {
    guard let index = subscriptions.firstIndex(where: { $0.filter == filter }) else { return }
    subscriptions.remove(at: index)
    if isConnected { handle?.unsubscribe(filter) }
  }

  private func refuse(_ result: PublishResult) -> PublishResult {
    counters.refused += 1
    return result
  }
}
