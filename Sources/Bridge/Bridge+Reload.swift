import DeviceModel
import EventLoop
import MQTT

extension Bridge {
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
    tellRivals()
    settleDevices()
    acceptance.start(new.accept)
    if new.broker != old.broker { moveToOtherBroker() }
  }

  /// Lets go what is not wanted, or not as it runs, and begins what is missing.
  func settleDevices() {
    farewell?.cancel()
    let wanted = Dictionary(wantedDevices.map { ($0.id, $0) }) { first, _ in first }
    let leaving = devices.values.filter { $0.isLeaving || wanted[$0.id]?.isSame(as: $0.setup) != true }
    farewell = Farewell(of: leaving) { [weak self] in self?.exchangeDevices() }
  }

  /// Those that have said their last words go, those that are missing come.
  private func exchangeDevices() {
    let retired = devices.values.filter(\.isLeaving)
    let wanted = wantedDevices
    changeDevices {
      for device in retired { retire(device) }
      for setup in wanted where devices[setup.id.text] == nil { add(setup) }
      order = wanted.map(\.id)
      adapterMemory.keep(only: order)
    }
    for device in retired { clear(after: device) }
    publishInfo()
  }

  /// Says `offline` where the bridge was; the newest settings decide where it goes.
  private func moveToOtherBroker() {
    guard moving == nil else { return }
    moving = Task { @Loop in
      let last = publisher.takeWaiting() + order.map { offline(topics.availability($0)) }
      await client?.stop(saying: last + [offline(topics.bridgeState)], within: .seconds(3))
      publisher.disconnected()
      moving = nil
      if !isStopping {
        connect()
        client?.start()
      }
    }
  }
}

/// Why a configuration is not taken.
public struct ConfigurationProblems: Error, Sendable, Hashable {
  /// One problem each: `file:line:column: path: what is wrong`.
  public var lines: [String]
  public init(lines: [String]) { self.lines = lines }
}
