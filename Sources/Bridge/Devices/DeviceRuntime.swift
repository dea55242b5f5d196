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

  private var adapter: any Adapter
  var state: DeviceState
  var isAvailable = false
  private(set) var lastSeen: Timestamp?
  /// The board has said something since its primary link was last up.
  private var hasSpoken = false
  private(set) var links: [LinkRuntime] = []

  private var inputs: [Input] = []
  private var isFeeding = false
  private var outputs: [Output] = []
  private var timers: [String: LoopTimer] = [:]
  var releaseTimer: LoopTimer?
  private var waiting: [DeviceRequest] = []
  private var signalObservation: AdvertisementObservation?
  /// dBm, of the last advertisement; nil before the first.
  private(set) var signalStrength: Int?
  private var signalPublish = RareEvent(every: .seconds(10))
  var isPublishDue = false
  /// Taken from the board and not yet by the broker's client; while there is any the link does not read on.
  var backlog: [(topic: String, bytes: [UInt8])] = []
  var backlogBytes = 0
  private var lastSeenPublish = RareEvent(every: .seconds(60))
  private var undecodableLog = RareEvent(every: .seconds(60))

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
    state = DeviceState(adapter.description, filter: setup.filters)
    stateTopic = publisher.retained(topics.state(setup.id), rank: .state)
    availabilityTopic = publisher.retained(topics.availability(setup.id), rank: .availability)
    streamTopics = ["rx": topics.below(setup.id, "rx")]
    outputs.reserveCapacity(16)
  }

  var id: DeviceID { setup.id }
  var description: DeviceDescription { state.description }
  var primary: LinkRuntime? { links.first }

  func start() {
    publish()
    for link in setup.links {
      links.append(
        LinkRuntime(link.settings, factory: linkFactory) { [weak self] runtime, event in
          self?.take(event, from: runtime)
        })
    }
    for link in links { link.start() }
    observeSignal()
  }

  func stop() {
    for link in links where link.isUp { feed(.linkDown(link.role, "the bridge leaves the board")) }
    for link in links { link.stop() }
    for timer in timers.values { timer.cancel() }
    timers = [:]
    releaseTimer?.cancel()
    signalObservation?.cancel()
    refuseWaiting(Rejection(.notNow, "the bridge leaves \(id)"))
    isAvailable = false
    publish()
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

  /// Gives `request` to the adapter as soon as the primary link is up; refuses it when it will not be.
  func submit(_ request: DeviceRequest) {
    guard let primary else {
      request.outcome(Rejection(.unsupported, "\(id) has no link"))
      return
    }
    guard waiting.count < Self.waitingLimit else {
      request.outcome(Rejection(.busy, "\(id) has \(Self.waitingLimit) requests waiting"))
      return
    }
    waiting.append(request)
    primary.wanted()
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

  // MARK: links

  private func take(_ event: LinkRuntime.Event, from link: LinkRuntime) {
    switch event {
    case .received(let bytes): feed(.received(link.role, bytes))
    case .sent(let number): feed(.sent(number))
    case .notSent(let number, let why): feed(.notSent(number, why))
    case .up(let maximumPacket):
      log.debug("\(id): \(link.role) connected")
      if link === primary { hasSpoken = false }
      feed(.linkUp(link.role, maximumPacket: maximumPacket))
      if link === primary, setup.links.first?.speaks == false { setAvailable(true) }
    case .down(let failure):
      log.debug("\(id): \(link.role) disconnected: \(failure)")
      feed(.linkDown(link.role, failure.description))
    case .deliver: if link === primary { deliverWaiting() }
    case .refuse(let failure):
      if link === primary { refuseWaiting(Rejection(failure.rejectionReason, "\(id): \(failure)")) }
    case .unavailable(let failure, let inSession):
      owner?.linkFailed(self, link, failure)
      // A board that begins each session well and spoils it later is there, and would come and go at each poll.
      if link === primary, link.isHeld || !inSession || !hasSpoken { setAvailable(false) }
    }
  }

  private func deliverWaiting() {
    let requests = waiting
    waiting.removeAll(keepingCapacity: true)
    for request in requests {
      request.outcome(nil)
      feed(request.input)
    }
  }

  private func refuseWaiting(_ rejection: Rejection) {
    let requests = waiting
    waiting.removeAll(keepingCapacity: true)
    for request in requests { request.outcome(rejection) }
  }

  // MARK: adapter

  var now: Moment {
    Moment(uptime: .nanoseconds(MonotonicTime.now.nanoseconds), wall: .now)
  }

  /// An input that arises while another is handled waits its turn.
  private func feed(_ input: Input) {
    guard !isFeeding else {
      inputs.append(input)
      return
    }
    isFeeding = true
    handle(input)
    while !inputs.isEmpty { handle(inputs.removeFirst()) }
    isFeeding = false
  }

  private func handle(_ input: Input) {
    let now = now
    var outputs = self.outputs
    self.outputs = []
    adapter.handle(input, at: now, into: &outputs)
    for output in outputs { perform(output, at: now) }
    outputs.removeAll(keepingCapacity: true)
    self.outputs = outputs
  }

  private func perform(_ output: Output, at now: Moment) {
    switch output {
    case .send(let send): link(send.role)?.send(send)
    case .report(let key, let value):
      if state.report(key, value, at: now) { publishAtTurnEnd() } else { scheduleRelease(at: now) }
    case .event(let type, let facts): publishEvent(type, facts)
    case .publish(let subtopic, let bytes): publishStream(bytes, on: subtopic)
    case .alive:
      lastSeen = now.wall
      hasSpoken = true
      setAvailable(true)
      if setup.showsLastSeen, lastSeenPublish.happens(at: now.uptime) { publishAtTurnEnd() }
    case .undecodable(let bytes, let why):
      primary?.countUndecodable(bytes)
      if undecodableLog.happens(at: now.uptime) {
        log.warning("\(id): \(bytes) bytes passed over: \(why)\(undecodableLog.suppressedText)")
      }
    case .sessionFinished(let role): link(role)?.sessionFinished()
    case .reconnect(let role, let pause): link(role)?.reconnect(after: pause)
    case .sessionFailed(let role, let why): link(role)?.sessionFailed(why)
    case .setTimer(let name, let delay):
      timers[name]?.cancel()
      timers[name] = LoopTimer(after: delay) { [weak self] in
        self?.timers[name] = nil
        self?.feed(.timerFired(name))
      }
    case .cancelTimer(let name):
      timers[name]?.cancel()
      timers[name] = nil
    case .reject(_, let property, let rejection): owner?.commandFailed(self, property, rejection)
    case .describe(let description): describe(description)
    case .remember, .wantRandom, .answer: break
    case .log(let level, let text): log.write(level, "\(id): \(text)")
    }
  }

  private func link(_ role: LinkRole) -> LinkRuntime? { links.first { $0.role == role } }

  private func describe(_ description: DeviceDescription) {
    let old = state.description
    guard old != description else { return }
    state.describe(description)
    if setup.output.hasValues {
      for property in old.properties where property.hasState && description[property.key]?.hasState != true {
        publisher.retained(topics.value(id, property.key), rank: .state).remove()
      }
    }
    publishAtTurnEnd()
    owner?.descriptionChanged(self)
  }
}

/// What a device tells the bridge that runs it.
@Loop protocol DeviceRuntimeOwner: AnyObject {
  func availabilityChanged(_ device: DeviceRuntime)
  func descriptionChanged(_ device: DeviceRuntime)
  func linkFailed(_ device: DeviceRuntime, _ link: LinkRuntime, _ failure: LinkFailure)
  func commandFailed(_ device: DeviceRuntime, _ property: PropertyKey?, _ rejection: Rejection)
}

extension LinkFailure {
  /// What a command that waited for the link failed of.
  var rejectionReason: Rejection.Reason {
    switch self {
    case .refused: .busy
    case .gaveUp, .overflow, .broken, .closedByPeer: .linkError
    default: .away
    }
  }
}
