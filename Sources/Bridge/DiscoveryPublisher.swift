import DeviceModel
import EventLoop
import HomeAssistant
import JSON

/// Keeps what Home Assistant was told in step with what there is.
///
/// What is gone is taken back in stages with pauses between them, and only while there is a broker: a removal that
/// was overtaken by the news after it would be lost.
@Loop final class DiscoveryPublisher {
  private let publisher: Publisher
  private let log: Log
  private var nextStage: LoopTimer?
  /// What is not carried out to its end: under way, or waiting for the broker.
  private var unfinished: DiscoveryPlan?
  /// Left out at present, which was logged.
  private var told: Set<Discovery.Omission> = []
  /// Told when ``record`` has changed and should be kept.
  var onRecord: @Loop () -> Void = {}

  /// What was published and not yet taken back.
  private(set) var record = DiscoveryRecord()

  init(publisher: Publisher, log: Log) {
    self.publisher = publisher
    self.log = log
  }

  /// Takes what an earlier life of the bridge published, before the first update.
  func remember(_ record: DiscoveryRecord) { self.record = self.record.union(record) }

  /// Publishes what is new and takes back what is gone.
  func update(_ devices: [DeviceRuntime], settings: DiscoverySettings) {
    let discovery = Discovery(of: devices.map(\.discoverable), settings: settings)
    let omissions = Set(discovery.problems)
    for omission in discovery.problems where !told.contains(omission) {
      log.error("\(omission.device): not announced to Home Assistant: \(omission.problem)")
    }
    // A board that describes itself may come with others each time.
    told = omissions
    let plan = DiscoveryPlan(from: record, to: discovery, settings: settings)
    nextStage?.cancel()
    unfinished = plan
    if publisher.isConnected || plan.takesNothingBack { run(plan) }
  }

  /// The broker is there: what waited for it, or was broken off, is done from its beginning.
  func connected() {
    if let plan = unfinished { run(plan) }
  }

  func disconnected() { nextStage?.cancel() }

  private func run(_ plan: DiscoveryPlan) {
    keep(plan.interim)
    runStage(0, of: plan)
  }

  private func runStage(_ index: Int, of plan: DiscoveryPlan) {
    if index < plan.stages.count {
      for message in plan.stages[index] { publish(message) }
    }
    if index + 1 < plan.stages.count {
      nextStage = LoopTimer(after: DiscoveryPlan.pause) { [weak self] in self?.runStage(index + 1, of: plan) }
    } else {
      unfinished = nil
      keep(plan.record)
    }
  }

  private func publish(_ message: DiscoveryMessage) {
    let topic = publisher.retained(message.topic, rank: rank(of: message.topic))
    if let payload = message.payload {
      topic.set(JSON.bytes(of: payload))
    } else {
      topic.remove()
    }
  }

  /// The bridge as a device comes before the boards that point to it.
  private func rank(of topic: String) -> RetainedTopic.Rank {
    topic.split(separator: "/").contains { $0.hasPrefix("sketch2mqtt_") && $0.hasSuffix("_bridge") }
      ? .bridgeDiscovery : .discovery
  }

  private func keep(_ new: DiscoveryRecord) {
    guard new != record else { return }
    record = new
    onRecord()
  }
}

extension DiscoveryPlan {
  fileprivate var takesNothingBack: Bool {
    stages.count <= 1 && stages.joined().allSatisfy { $0.payload != nil }
  }
}

extension DeviceRuntime {
  /// This device as Home Assistant is told of it.
  var discoverable: DiscoverableDevice {
    var extras: Set<DiscoverableDevice.Extra> = []
    if setup.showsLastSeen { extras.insert(.lastSeen) }
    if setup.showsRSSI { extras.insert(.rssi) }
    if setup.showsReconnects { extras.insert(.reconnects) }
    return DiscoverableDevice(
      id: id, name: setup.name, description: description, area: setup.area, icon: setup.icon, extras: extras,
      output: setup.output, bluetoothAddress: setup.bluetoothAddress)
  }
}
