import DeviceModel
public import EventLoop
import HomeAssistant
import JSON
import MQTT

/// The whole bridge between its boards and one broker.
@Loop public final class Bridge {
  var settings: BridgeSettings
  let topics: Topics
  let publisher = Publisher()
  let linkFactory: LinkFactory
  let ear: Ear
  public let log: Log
  let load: Load?

  var devices: [String: DeviceRuntime] = [:]
  /// In the order of the configuration.
  var order: [DeviceID] = []
  var client: MQTTClient?
  var discovery: DiscoveryPublisher
  var memory: TopicMemory
  let adapterMemory: AdapterMemory
  let addedDevices: AddedDevices
  private(set) lazy var acceptance = Acceptance(self)
  let subscriptions = Subscriptions()
  var openRequests: [UInt64: OpenRequest] = [:]
  lazy var explorer = makeExplorer()
  /// Requests about Bluetooth under way.
  var bluetoothTasks: [UInt64: Task<Void, Never>] = [:]
  let startedAt = MonotonicTime.now
  var lastDisconnect: DisconnectReason?
  var session: MQTTSession?
  var claims = DeviceClaims()
  /// Retained topics of an earlier life, until the broker has been told.
  private var leftOver: Set<String> = []
  private var isMemoryDue = false
  var stateGuard = RareEvent(every: .seconds(1))

  var batchNumber: UInt64 = 0
  /// Items added and removed by requests.
  var itemChanges = Allowance(atOnce: 20, oneMoreEvery: .seconds(1))
  private var standstillWatch: StandstillWatch?
  private var standstill: (length: Duration, until: MonotonicTime)?
  private var healthTimer: LoopTimer?
  private var devicesTimer: LoopTimer?
  private var leftOverTimer: LoopTimer?
  private(set) var isStopping = false
  var moving: Task<Void, Never>?
  var farewell: Farewell?
  /// Devices come and go: Home Assistant is told of all of them at once afterwards.
  var isChangingDevices = false
  /// That the list of devices is too long to be told whole was logged.
  var isAbridgedTold = false
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
    ear = Ear(linkFactory)
    memory = TopicMemory(file: settings.stateFile, log: log)
    adapterMemory = AdapterMemory(file: settings.memoryFile, log: log)
    addedDevices = AddedDevices(file: settings.addedDevicesFile, log: log)
    discovery = DiscoveryPublisher(publisher: publisher, log: log)
  }

  /// Reads what is remembered, and begins with the broker and every board; once. What goes wrong is logged, and tried
  /// again.
  public func start() {
    memory.load()
    adapterMemory.load()
    addedDevices.load(kinds: settings.kinds)
    tellRivals()
    restore(memory.content)
    discovery.onRecord = { [weak self] in self?.keepMemory() }
    publisher.onCleared = { [weak self] in self?.keepMemorySoon() }
    log.onLine = { [weak self] level, text in self?.publishLog(level, text) }
    publisher.onRoom.append { [weak self] in
      for device in self?.devices.values.map(\.self) ?? [] { device.hasRoom() }
    }
    linkFactory.onBluetoothChange = { [weak self] in
      self?.publishInfo()
      self?.ear.bluetoothChanged()
    }
    standstillWatch = StandstillWatch { [weak self] in self?.stoodStill(for: $0) }
    stateTopic.set("online")
    connect()
    changeDevices {
      for setup in wantedDevices { add(setup) }
      adapterMemory.keep(only: order)
    }
    client?.start()
    acceptance.start(settings.accept)
    scheduleHealth()
  }

  /// Says `offline` everywhere, waits until the broker has it, and leaves every board.
  public func stop() async {
    guard !isStopping else { return }
    isStopping = true
    for timer in [healthTimer, devicesTimer, leftOverTimer, birthTimer, stateRepeat] { timer?.cancel() }
    standstillWatch?.cancel()
    farewell?.cancel()
    acceptance.stop()
    await moving?.value
    await sayGoodbye()
    for device in devices.values { device.stop() }
    failOpenRequests(of: nil)
    stopExploring()
    adapterMemory.flush()
    await linkFactory.stop()
    log.onLine = nil
    let last = publisher.isConnected ? publisher.takeWaiting() : []
    await client?.stop(saying: last + [offline(topics.bridgeState)], within: .seconds(3))
    publisher.disconnected()
    keepMemory()
    let deadline = MonotonicTime.now.advanced(by: .seconds(5))
    for file in [adapterMemory.file, addedDevices.file, memory.file] { await file.settle(by: deadline) }
  }

  /// What comes in the next moments, from the broker or the air, may have waited all the while.
  private func stoodStill(for length: Duration) {
    let length = Duration.seconds(length.components.seconds)
    log.warning(
      "the bridge stood still for \(length.configurationText): what was asked of it meanwhile is not done")
    standstill = (length, MonotonicTime.now.advanced(by: .seconds(2)))
    ear.stoodStill()
  }

  /// How long a message that comes now may have waited for the bridge to go on; nil when it is new.
  func ageByStandstill() -> Duration? {
    guard let standstill else { return nil }
    if MonotonicTime.now < standstill.until { return standstill.length }
    self.standstill = nil
    return nil
  }

  func offline(_ topic: String) -> Publication {
    Publication(topic: topic, text: "offline", retain: true)
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
