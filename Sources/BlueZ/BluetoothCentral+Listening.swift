import DBus
public import DeviceModel
import EventLoop

/// Who listens to advertisements, and by what they are heard.
extension BluetoothCentral {
  /// Calls `handler` for advertisements heard from now on: those of `interest`, and whatever else comes along.
  ///
  /// The adapter scans for it while no board connects. Where BlueZ has monitors and `interest` is one in patterns, these
  /// find them at any time, and scans in between are for their strength: without one it comes as nil.
  ///
  /// - Parameter includesHeard: First also for what BlueZ has heard before, now or when BlueZ is there: a board
  ///   that connects at once is not heard again.
  public func observeAdvertisements(
    _ interest: AdvertisementInterest = .all, includingHeard includesHeard: Bool = false,
    _ handler: @escaping @Loop (Advertisement) -> Void
  ) -> AdvertisementObservation {
    let observation = AdvertisementObservation(
      interest, central: self, includesHeard: includesHeard, handler: handler)
    listeners.append(observation)
    if includesHeard { Loop.atTurnEnd { self.reportHeard(to: [observation]) } }
    scheduleUpdate()
    return observation
  }

  func reportHeard(to listeners: [AdvertisementObservation]) {
    guard let adapter, !listeners.isEmpty else { return }
    for path in tree.paths(with: Interface.device, below: adapter) {
      guard let properties = tree.properties(path, Interface.device), properties["RSSI"] != nil,
        let advertisement = Advertisement(properties)
      else { continue }
      for listener in listeners { listener.handler?(advertisement) }
    }
  }

  func remove(_ observation: AdvertisementObservation) {
    listeners.removeAll { $0 === observation }
    scheduleUpdate()
  }

  func report(_ advertisement: @autoclosure () -> Advertisement?) {
    guard !listeners.isEmpty, let advertisement = advertisement() else { return }
    for listener in listeners { listener.handler?(advertisement) }
  }

  /// What the scheduler has to see to, once the monitors look for what they can.
  func listening() -> ConnectScheduler.Listening {
    var patterns: Set<AdvertisementPattern> = []
    var hasAll = false
    for listener in listeners {
      switch listener.interest {
      case .all: hasAll = true
      case .matching(let wanted): patterns.formUnion(wanted)
      }
    }
    monitors?.watch(patterns)
    if listeners.isEmpty { return .none }
    return !hasAll && monitors?.areComplete == true ? .inSessions : .always
  }

  /// What monitors look for is heard in any case.
  func tellDeafness() {
    let isDeaf = scheduler.scan != .on
    let hasMonitors = monitors?.areComplete == true
    for listener in listeners {
      let isWatchedFor = if case .matching = listener.interest { hasMonitors } else { false }
      listener.deafen(isDeaf && !isWatchedFor)
    }
  }

  func makeMonitors(_ adapter: ObjectPath, of peer: BlueZPeer) -> AdvertisementMonitors {
    AdvertisementMonitors(
      adapter, of: peer, onChange: { [weak self] in self?.scheduleUpdate() },
      onFound: { [weak self] in self?.found($0) })
  }

  /// A monitor has heard a device. In a scan BlueZ signals each advertisement besides, and with its strength.
  private func found(_ device: ObjectPath) {
    guard scheduler.scan != .on, let properties = tree.properties(device, Interface.device) else { return }
    report(Advertisement(properties, withStrength: false))
  }
}
