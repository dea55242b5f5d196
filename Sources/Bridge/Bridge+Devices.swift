import DeviceModel
import EventLoop
import Links
import MQTT

/// How devices come and go.
extension Bridge {
  /// Does `change`, which adds and retires devices, and tells Home Assistant of all that there is then.
  func changeDevices(_ change: () -> Void) {
    isChangingDevices = true
    change()
    isChangingDevices = false
    rediscover()
  }

  func add(_ setup: DeviceSetup) {
    let device = DeviceRuntime(
      setup, topics: topics, publisher: publisher, links: linkFactory, log: log, owner: self)
    devices[setup.id.text] = device
    order.append(setup.id)
    // Whoever sees it come online may command it at once.
    subscribeCommands(device)
    follow(device)
    device.start(
      remembering: adapterMemory.value(of: setup.id, kind: setup.kind.name),
      isBrokerConnected: publisher.isConnected)
    subscribeCommands(device)
    if device.hearsAdvertisements { ear.add(device) }
  }

  /// Ends a device. Its topics stay on the broker until discovery has taken it back.
  func retire(_ device: DeviceRuntime) {
    for filter in commandFilters(device) { unsubscribe(filter) }
    subscriptions.unfollow(device.id.text)
    ear.remove(device)
    device.stop()
    failOpenRequests(of: device)
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

  /// Returns when the last words of all devices have left, or will not.
  func sayGoodbye() async {
    await Loop.suspend { (said: CheckedContinuation<Void, Never>) in
      farewell = Farewell(of: devices.values.map(\.self)) { said.resume() }
    }
  }
}

extension Bridge: DeviceRuntimeOwner {
  func device(_ device: DeviceRuntime, _ news: DeviceRuntime.News) {
    switch news {
    case .availabilityChanged: publishDevicesSoon()
    case .descriptionChanged: descriptionChanged(device)
    case .linkFailed(let link, let failure):
      if link.saysAnew(failure) { log.warning("\(device.id): \(link.role): \(failure)") }
    case .commandFailed(let property, let rejection):
      reportFailure(device.id.text, property?.text, rejection)
    case .remember(let value): remember(value, for: device)
    case .whenKept(let body): adapterMemory.whenKept(body)
    case .answered(let number, let result): answered(device, number, result)
    }
  }

  private func descriptionChanged(_ device: DeviceRuntime) {
    guard !isChangingDevices else { return }
    subscribeCommands(device)
    rediscover()
  }

  private func remember(_ value: Value, for device: DeviceRuntime) {
    // What replaces a device that goes may know better.
    guard devices[device.id.text] === device else { return }
    if let problem = adapterMemory.remember(value, of: device.id, kind: device.setup.kind.name) {
      log.error("\(device.id): what it wants to remember is not kept: \(problem)")
    }
  }
}
