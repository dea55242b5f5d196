import BlueZ
import DeviceModel
import EventLoop
import Links
import MQTT

/// One device at work: feeds its adapter, carries out what that wants, and publishes.
@Loop final class DeviceRuntime {
  let setup: DeviceSetup
  let topics: Topics
  let publisher: Publisher
  private let linkFactory: LinkFactory
  let log: Log
  weak var owner: (any DeviceRuntimeOwner)?

  var adapter: any Adapter
  var state: DeviceState
  var isAvailable = false
  var lastSeen: Timestamp?
  /// The board has said something since its primary link was last up.
  var hasSpoken = false
  private(set) var links: [LinkRuntime] = []

  var inputs: [Input] = []
  var isFeeding = false
  var outputs: [Output] = []
  var timers: [Input.TimerName: LoopTimer] = [:]
  /// Timers that wait for the disk, by a number that tells an earlier one of the same name.
  var diskTimers: [Input.TimerName: UInt64] = [:]
  var createdDiskTimers: UInt64 = 0
  var releaseTimer: LoopTimer?
  var waiting: [DeviceRequest] = []
  /// Links that the adapter itself has asked for, and that are not up yet.
  var awaited: Set<LinkRole> = []
  /// It was told that it is let go: nothing more is asked of it.
  private(set) var isLeaving = false
  private var signalObservation: AdvertisementObservation?
  /// dBm, of the last advertisement; nil before the first.
  private(set) var signalStrength: Int?
  private var signalPublish = RareEvent(every: .seconds(10))
  var isPublishDue = false
  /// Taken from the board and not yet by the broker's client; while there is any the link does not read on.
  var backlog: [(topic: String, bytes: [UInt8])] = []
  var backlogBytes = 0
  /// While somebody asked to see what the adapter is told.
  var capture: DeviceCapture?
  var lastSeenPublish = RareEvent(every: .seconds(60))
  var undecodableLog = RareEvent(every: .seconds(60))

  let followedTopics: [FollowedTopic]
  let advertisementInterest: AdvertisementInterest
  let stateTopic: RetainedTopic
  let availabilityTopic: RetainedTopic
  let streamTopics: [String: String]

  /// Not every link can be held back: what exceeds this is dropped. Bytes.
  static let backlogLimit = 1 << 20
  /// Requests that wait for a link; more are refused as busy.
  static let waitingLimit = 32

  init(
    _ setup: DeviceSetup, topics: Topics, publisher: Publisher, links: LinkFactory, log: Log,
    owner: any DeviceRuntimeOwner
  ) {
    self.setup = setup
    self.topics = topics
    self.publisher = publisher
    linkFactory = links
    self.log = log
    self.owner = owner
    adapter = setup.adapter
    followedTopics = setup.adapter.followedTopics
    advertisementInterest = setup.adapter.advertisementInterest
    state = DeviceState(adapter.description, filter: setup.filters)
    stateTopic = publisher.retained(topics.state(setup.id), rank: .state)
    availabilityTopic = publisher.retained(topics.availability(setup.id), rank: .availability)
    streamTopics = ["rx": topics.below(setup.id, "rx")]
    outputs.reserveCapacity(16)
  }

  var id: DeviceID { setup.id }
  var description: DeviceDescription { state.description }
  var hearsAdvertisements: Bool { advertisementInterest != .nothing }
  var primary: LinkRuntime? { links.first }

  /// - Parameters:
  ///   - memory: What the adapter remembers.
  ///   - isBrokerConnected: Whether anybody can steer the device yet.
  func start(remembering memory: Value, isBrokerConnected: Bool) {
    feed(.remembered(memory))
    feed(.broker(isConnected: isBrokerConnected))
    publish()
    for link in setup.links {
      links.append(
        LinkRuntime(link.settings, factory: linkFactory) { [weak self] runtime, event in
          self?.take(event, from: runtime)
        })
    }
    if links.isEmpty, !hearsAdvertisements { setAvailable(true) }
    for link in links { link.start() }
    observeSignal()
  }

  /// Lets the adapter say its last words; ``hasUnsent`` tells when they have left.
  func sayGoodbye() {
    guard !isLeaving else { return }
    isLeaving = true
    feed(.stopping)
  }

  /// Whether something is still on its way to a board, or is yet to be said to it.
  var hasUnsent: Bool { adapter.hasLastWords || links.contains { $0.hasUnsent } }

  func stop() {
    isLeaving = true
    for link in links where link.isUp { feed(.linkDown(link.role, "the bridge leaves the board")) }
    for link in links { link.stop() }
    for timer in timers.values { timer.cancel() }
    timers = [:]
    diskTimers = [:]
    releaseTimer?.cancel()
    signalObservation?.cancel()
    refuseWaiting(Rejection(.notNow, "the bridge leaves \(id)"))
    isAvailable = false
    publish()
  }

  /// Somebody can steer the device from now on, or nobody can.
  func brokerChanged(isConnected: Bool) { feed(.broker(isConnected: isConnected)) }

  /// Takes a message on a topic that the adapter follows.
  func hear(_ message: OutsideMessage) { feed(.message(message)) }

  /// Advertisements can be heard from now on, or cannot. Of a device without links nothing else is known.
  func hearingChanged(_ hearing: Ear.Hearing) {
    switch hearing {
    case .hears: feed(.listening(true, nil))
    case .deaf(let why): feed(.listening(false, why))
    }
    if links.isEmpty { setAvailable(hearing == .hears) }
  }

  /// All that stands on the broker for this device.
  var retainedTopics: [RetainedTopic] {
    var retained = [availabilityTopic]
    if setup.output.hasJSON { retained.append(stateTopic) }
    guard setup.output.hasValues else { return retained }
    for property in description.properties where property.hasState {
      retained.append(publisher.retained(topics.value(id, property.key), rank: .state))
    }
    return retained
  }

  /// Publishes what stands on the broker again, as `get` asks.
  func republish() {
    for topic in retainedTopics { topic.repeatPayload() }
  }

  /// Only for who asked for it: it keeps the adapter scanning.
  private func observeSignal() {
    guard setup.showsRSSI, let link = setup.links.first else { return }
    signalObservation = linkFactory.observeSignal(of: link.settings) { [weak self] strength in
      guard let self, signalStrength != strength else { return }
      signalStrength = strength
      if signalPublish.happens(at: now.uptime) { publishAtTurnEnd() }
    }
  }
}
