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
  private let load: Load?

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

  private var batchNumber: UInt64 = 0
  private var healthTimer: LoopTimer?
  private var devicesTimer: LoopTimer?
  private var leftOverTimer: LoopTimer?
  private(set) var isStopping = false
  private var moving: Task<Void, Never>?
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

  private func offline(_ topic: String) -> Publication {
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

  private func unsubscribe(_ filter: String) {
    if let filter = try? TopicFilter(filter) { client?.unsubscribe(filter) }
  }

  private func subscribe(_ filter: String, isCommand: Bool = false, replay: RetainedReplay = .always) {
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
  private func retire(_ device: DeviceRuntime) {
    for filter in commandFilters(device) { unsubscribe(filter) }
    device.stop()
    devices[device.id.text] = nil
    order.removeAll { $0 == device.id }
  }

  /// Clears what a retired device leaves on the broker, but for what its successor or another bridge publishes.
  private func clear(after device: DeviceRuntime) {
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

  // MARK: commands

  func submit(_ commands: [Command], to device: DeviceRuntime) {
    batchNumber += 1
    let batch = CommandBatch(number: batchNumber, commands)
    request(.commands(batch), of: device)
  }

  func transmit(_ bytes: [UInt8], to device: DeviceRuntime) {
    batchNumber += 1
    request(.transmit(number: batchNumber, bytes), of: device)
  }

  private func request(_ work: DeviceRequest.Work, of device: DeviceRuntime) {
    var request = DeviceRequest(work: work)
    let property = request.property
    request.outcome = { [weak self] rejection in
      if let rejection { self?.reportFailure(device.id.text, property?.text, rejection) }
    }
    device.submit(request)
  }

  func reportFailure(_ device: String?, _ property: String?, _ rejection: Rejection) {
    // Home Assistant believes what it sent where the board gives no evidence: it is told again what is so.
    if let device = device.flatMap({ devices[$0] }),
      device.description.properties.contains(where: \.isAssumed)
    {
      device.republish()
    }
    var members = Value.Members([("event_type", "command_failed")])
    members["device"] = device.map { .text($0) } ?? .unknown
    members["property"] = property.map { .text($0.excerpt) } ?? .unknown
    members["reason"] = .text(rejection.reason.rawValue)
    members["error"] = .text(rejection.explanation)
    publisher.publishEvent(.object(members), to: topics.bridgeEvent)
    log.info("command refused (\(rejection.reason.rawValue)): \(rejection.explanation)")
  }

  // MARK: reload

  /// Reads the configuration anew and changes only what is different. Wrong settings change nothing.
  public func reload() -> ConfigurationProblems? {
    guard let load, !isStopping else { return ConfigurationProblems(lines: ["nothing to reload"]) }
    switch load() {
    case .failure(let problems):
      for line in problems.lines { log.error(line) }
      log.error("the configuration was not taken: the bridge goes on with the one it has")
      return problems
    case .success(let new):
      guard new.baseTopic == settings.baseTopic, new.bridgeName == settings.bridgeName,
        new.bluetooth == settings.bluetooth
      else {
        let line = "base_topic, bridge and bluetooth cannot change while the bridge runs: restart it"
        log.error(line)
        return ConfigurationProblems(lines: [line])
      }
      apply(new)
      log.info("configuration reloaded")
      return nil
    }
  }

  private func apply(_ new: BridgeSettings) {
    let old = settings
    settings = new
    if new.birthTopic != old.birthTopic {
      if let topic = old.birthTopic { unsubscribe(topic) }
      if let topic = new.birthTopic { subscribe(topic, replay: .never) }
    }
    let wanted = Dictionary(new.devices.map { ($0.id, $0) }) { first, _ in first }
    let retired = devices.values.filter { wanted[$0.id]?.isSame(as: $0.setup) != true }
    for device in retired { retire(device) }
    for setup in new.devices where devices[setup.id.text] == nil { add(setup) }
    order = new.devices.map(\.id)
    rediscover()
    for device in retired { clear(after: device) }
    publishInfo()
    if new.broker != old.broker { moveToOtherBroker() }
  }

  /// Says `offline` where the bridge was; the newest settings decide where it goes.
  private func moveToOtherBroker() {
    guard moving == nil else { return }
    moving = Task { @Loop in
      let last = publisher.takeWaiting() + order.map { offline(topics.availability($0)) }
      await client?.stop(saying: last + [offline(topics.bridgeState)], within: .seconds(3))
      publisher.disconnected()
      moving = nil
      if !isStopping { connect() }
    }
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

/// Why a configuration is not taken.
public struct ConfigurationProblems: Error, Sendable, Hashable {
  /// One problem each: `file:line:column: path: what is wrong`.
  public var lines: [String]
  public init(lines: [String]) { self.lines = lines }
}

extension Bridge: DeviceRuntimeOwner {
  func availabilityChanged(_ device: DeviceRuntime) { publishDevicesSoon() }

  func descriptionChanged(_ device: DeviceRuntime) {
    subscribeCommands(device)
    rediscover()
  }

  func linkFailed(_ device: DeviceRuntime, _ link: LinkRuntime, _ failure: LinkFailure) {
    if link.saysAnew(failure) { log.warning("\(device.id): \(link.role): \(failure)") }
  }

  func commandFailed(_ device: DeviceRuntime, _ property: PropertyKey?, _ rejection: Rejection) {
    reportFailure(device.id.text, property?.text, rejection)
  }
}
