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
  private var running: LoopTimer?
  private var waitingPlan: DiscoveryPlan?
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
    for omission in discovery.problems where told.insert(omission).inserted {
      log.error("\(omission.device): not announced to Home Assistant: \(omission.problem)")
    }
    let plan = DiscoveryPlan(from: record, to: discovery, settings: settings)
    running?.cancel()
    waitingPlan = nil
    if plan.stages.count > 1, !publisher.isConnected {
      waitingPlan = plan
    } else {
      run(plan)
    }
  }

  /// The broker is there: what waited for it goes on.
  func connected() {
    guard let plan = waitingPlan else { return }
    waitingPlan = nil
    run(plan)
  }

  private func run(_ plan: DiscoveryPlan) {
    remember(plan.interim, isFinal: false)
    runStage(0, of: plan)
  }

  private func runStage(_ index: Int, of plan: DiscoveryPlan) {
    guard index < plan.stages.count else {
      remember(plan.record, isFinal: true)
      return
    }
    for message in plan.stages[index] { publish(message) }
    if index + 1 == plan.stages.count {
      remember(plan.record, isFinal: true)
    } else {
      running = LoopTimer(after: DiscoveryPlan.pause) { [weak self] in self?.runStage(index + 1, of: plan) }
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

  private func remember(_ new: DiscoveryRecord, isFinal: Bool) {
    guard new != record else { return }
    record = new
    onRecord()
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
      output: setup.output)
  }
}
