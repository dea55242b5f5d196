import DeviceModel
public import EventLoop
import HomeAssistant
import JSON
import Links
import MQTT

/// The whole bridge between its boards and one broker.
@Loop public final class Bridge {
  var settings: BridgeSettings
  let topics: Topics
  let publisher = Publisher()
  let linkFactory: LinkFactory
  public let log: Log
  let load: Load?

  var devices: [String: DeviceRuntime] = [:]
  /// In the order of the configuration.
  var order: [DeviceID] = []
  var client: MQTTClient?
  var discovery: DiscoveryPublisher
  var memory: TopicMemory
  let startedAt = MonotonicTime.now
  var lastDisconnect: DisconnectReason?
  var session: MQTTSession?
  var claims = DeviceClaims()
  /// Retained topics of an earlier life, until the broker has been told.
  private var leftOver: Set<String> = []
  private var isMemoryDue = false
  var stateGuard = RareEvent(every: .seconds(1))

  var batchNumber: UInt64 = 0
  private var healthTimer: LoopTimer?
  private var devicesTimer: LoopTimer?
  private var leftOverTimer: LoopTimer?
  private(set) var isStopping = false
  var moving: Task<Void, Never>?
  var birthTimer: LoopTimer?
  var stateRepeat: LoopTimer?

  let stateTopic: RetainedTopic
  let infoTopic: RetainedTopic
  let devicesTopic: RetainedTopic

  /// Reads the configuration anew, for `reload`: the settings, or what is wrong, a line each.
  public typealias Load = @Loop () -> Result<BridgeSettings, ConfigurationProblems>

  /// - Parameter load: nil where nothing can be reloaded.
  public init(_ settings: BridgeSettings, log: Log, load: Load? = nil) {
    self.settings = settings
    self.log = log
    self.load = load
    topics = Topics(base: settings.baseTopic, bridge: settings.bridgeName)
    stateTopic = publisher.retained(topics.bridgeState, rank: .bridgeState)
    infoTopic = publisher.retained(topics.bridgeInfo, rank: .report)
    devicesTopic = publisher.retained(topics.bridgeDevices, rank: .report)
    linkFactory = LinkFactory(settings.bluetooth, log: log)
    memory = TopicMemory(file: settings.stateFile, log: log)
    discovery = DiscoveryPublisher(publisher: publisher, log: log)
  }

  public func start() {
    memory.load()
    restore(memory.content)
    discovery.onRecord = { [weak self] in self?.keepMemory() }
    publisher.onCleared = { [weak self] in self?.keepMemorySoon() }
    log.onLine = { [weak self] level, text in self?.publishLog(level, text) }
    publisher.onRoom.append { [weak self] in
      for device in self?.devices.values.map(\.self) ?? [] { device.hasRoom() }
    }
    linkFactory.onBluetoothChange = { [weak self] in self?.publishInfo() }
    stateTopic.set("online")
    for setup in settings.devices { add(setup) }
    rediscover()
    connect()
    scheduleHealth()
  }

  /// Says `offline` everywhere, waits until the broker has it, and leaves every board.
  public func stop() async {
    guard !isStopping else { return }
    isStopping = true
    for timer in [healthTimer, devicesTimer, leftOverTimer, birthTimer, stateRepeat] { timer?.cancel() }
    await moving?.value
    for device in devices.values { device.stop() }
    await linkFactory.stop()
    log.onLine = nil
    let last = publisher.isConnected ? publisher.takeWaiting() : []
    await client?.stop(saying: last + [offline(topics.bridgeState)], within: .seconds(3))
    publisher.disconnected()
    keepMemory()
  }

  func offline(_ topic: String) -> Publication {
    Publication(topic: topic, text: "offline", retain: true)
  }

  // MARK: broker

  func connect() {
    let client = MQTTClient(settings.broker.settings(topics: topics), handler: self)
    self.client = client
    publisher.client = client
    subscribe(topics.bridgeState, replay: .always)
    subscribe(topics.allBridgeDevices, replay: .always)
    subscribe(topics.allRequests, isCommand: true)
    if let topic = settings.birthTopic { subscribe(topic, replay: .never) }
    for id in order { if let device = devices[id.text] { subscribeCommands(device) } }
    client.start()
  }

  func subscribeCommands(_ device: DeviceRuntime) {
    for filter in commandFilters(device) { subscribe(filter, isCommand: true) }
  }

  func commandFilters(_ device: DeviceRuntime) -> [String] {
    topics.commandFilters(device.id, device.description, isRaw: device.setup.kind.isRaw)
  }

  func unsubscribe(_ filter: String) {
    if let filter = try? TopicFilter(filter) { client?.unsubscribe(filter) }
  }

  func subscribe(_ filter: String, isCommand: Bool = false, replay: RetainedReplay = .always) {
    do throws(TopicProblem) {
      client?.subscribe(
        Subscription(
          try TopicFilter(filter), replay: isCommand ? .never : replay, keepsRetainFlag: isCommand))
    } catch {
      log.error("cannot subscribe to '\(filter)': \(error)")
    }
  }

  // MARK: devices

  func add(_ setup: DeviceSetup) {
    let device = DeviceRuntime(
      setup, topics: topics, publisher: publisher, links: linkFactory, log: log, owner: self)
    devices[setup.id.text] = device
    order.append(setup.id)
    device.start()
    if client != nil { subscribeCommands(device) }
  }

  /// Ends a device. Its topics stay on the broker until discovery has taken it back.
  func retire(_ device: DeviceRuntime) {
    for filter in commandFilters(device) { unsubscribe(filter) }
    device.stop()
    devices[device.id.text] = nil
    order.removeAll { $0 == device.id }
  }

  /// Clears what a retired device leaves on the broker, but for what its successor or another bridge publishes.
  func clear(after device: DeviceRuntime) {
    guard claims.bridges(serving: device.id.text).isEmpty else { return }
    let kept = Set(devices[device.id.text]?.retainedTopics.map(\.topic) ?? [])
    for topic in device.retainedTopics where !kept.contains(topic.topic) { topic.remove() }
  }

  /// Publishes discovery for what there is, and clears it for what is gone.
  func rediscover() {
    discovery.update(order.compactMap { devices[$0.text] }, settings: settings.discovery)
    keepMemory()
    publishDevicesSoon()
  }

  /// Topics of an earlier life that are not ours any more are cleared, and remembered until they are.
  func restore(_ content: TopicMemory.Content) {
    discovery.remember(content.discovery)
    leftOver.formUnion(content.topics)
  }

  /// A little after each connection, when the lists of other bridges have come: what they serve is not cleared.
  func clearLeftOversSoon() {
    leftOverTimer?.cancel()
    leftOverTimer = LoopTimer(after: .seconds(1)) { [weak self] in self?.clearLeftOvers() }
  }

  private func clearLeftOvers() {
    guard publisher.isConnected else { return }
    let kept = discovery.record.topics.union(topics.ofBridge)
    for topic in leftOver where !publisher.owns(topic) && !kept.contains(topic) {
      if claims.bridges(serving: topics.device(of: topic) ?? "").isEmpty {
        publisher.retained(topic, rank: .state).remove()
      }
    }
    leftOver = []
    memory.complete()
    keepMemory()
  }

  /// Once for all that is cleared in this turn.
  private func keepMemorySoon() {
    guard !isMemoryDue else { return }
    isMemoryDue = true
    Loop.atTurnEnd { [weak self] in
      self?.isMemoryDue = false
      self?.keepMemory()
    }
  }

  func keepMemory() {
    let owned = Set(publisher.ownedTopics).union(topics.ofBridge).union(leftOver)
      .subtracting(discovery.record.topics)
    if memory.save(topics: owned.sorted(), discovery: discovery.record) { publishDevicesSoon() }
  }

  // MARK: timers

  private func scheduleHealth() {
    healthTimer = LoopTimer(after: .seconds(60)) { [weak self] in
      self?.publishHealth()
      self?.scheduleHealth()
    }
  }

  /// The list of devices changes in bursts: it is published once after each.
  func publishDevicesSoon() {
    guard devicesTimer == nil, !isStopping else { return }
    devicesTimer = LoopTimer(after: .seconds(1)) { [weak self] in
      self?.devicesTimer = nil
      self?.publishDevices()
    }
  }
}
