import DeviceModel
import EventLoop
import JSON
public import MQTT

extension Bridge: MQTTHandler {
  public func mqttConnected(_ session: MQTTSession) {
    self.session = session
    lastDisconnect = nil
    log.info("connected to \(session.server) with MQTT \(session.version)")
    if !session.keepsRetained {
      log.warning("the broker keeps no retained messages: who comes later sees nothing until it changes")
    }
    publishInfo()
    publisher.connected()
    discovery.connected()
    clearLeftOversSoon()
    for device in devices.values { device.brokerChanged(isConnected: true) }
  }

  public func mqttDisconnected(_ reason: DisconnectReason, retry: Duration?) {
    let wasConnected = publisher.isConnected
    publisher.disconnected()
    discovery.disconnected()
    if wasConnected, !isStopping {
      for device in devices.values { device.brokerChanged(isConnected: false) }
    }
    if reason != lastDisconnect, reason != .stopped { log.warning("no broker: \(reason)") }
    lastDisconnect = reason
    session = nil
  }

  public func mqttNoticed(_ notice: MQTTNotice) {
    switch notice {
    case .hasRoom: publisher.hasRoom()
    case .dropped(let bytes, let topic): dropped(bytes, on: topic)
    case .publishRefused(let topic, let refusal):
      log.error(
        "the broker does not let us publish to '\(topic)': \(refusal); until it does, nothing there is seen")
    case .subscriptionRefused(let filter, let refusal):
      log.error(
        """
        the broker does not let us subscribe to '\(filter)': \(refusal); until it does, nothing there is heard
        """)
    }
  }

  public func mqttReceived(_ message: Message) {
    let recipients = subscriptions.recipients(of: message)
    for follower in recipients.followers { pass(message, to: follower) }
    guard recipients.isOwn else { return }
    if message.topic == settings.statusTopic {
      if message.text == "online" { homeAssistantStarted() }
      return
    }
    switch topics.destination(of: message.topic) {
    case nil: break
    case .ownState: watchOwnState(message)
    case .devices(let bridge): readDevices(of: bridge, message)
    case .request(let name): answer(name, message)
    case .set(let id):
      command(to: id, message) { reader throws(CommandReader.Refusal) in try reader.set(message.payload) }
    case .property(let id, let name, let verb):
      command(to: id, property: name, message) { reader throws(CommandReader.Refusal) in
        try reader.property(name, verb, message.payload)
      }
    case .get(let id): refresh(id, message)
    case .transmit(let id): transmit(to: id, message)
    }
  }

  private func pass(_ message: Message, to follower: Subscriptions.Follower) {
    guard let device = devices[follower.device] else { return }
    guard message.payload.count <= OutsideMessage.payloadLimit else {
      log.warning(
        "\(device.id): \(message.payload.count) bytes on '\(message.topic.excerpt)' are too many to be looked at"
      )
      return
    }
    device.hear(
      OutsideMessage(
        follower.name, topic: message.topic, payload: message.payload, isRetained: message.isRetained))
  }

  private func dropped(_ bytes: Int, on topic: String) {
    let rejection = Rejection(.tooLarge, "\(topic): \(bytes) bytes; it was dropped unread")
    switch topics.destination(of: topic) {
    case nil, .ownState, .devices: break
    case .request: reportFailure(nil, nil, rejection)
    case .property(let id, let name, _): if devices[id] != nil { reportFailure(id, name, rejection) }
    case .set(let id), .get(let id), .transmit(let id):
      if devices[id] != nil { reportFailure(id, nil, rejection) }
    }
  }

  /// Home Assistant came back and knows nothing. A little later, so that several bridges do not answer in one
  /// instant.
  private func homeAssistantStarted() {
    let delay = Duration.milliseconds(Int.random(in: 200...2000))
    log.info("Home Assistant started: publishing everything again")
    birthTimer?.cancel()
    birthTimer = LoopTimer(after: delay) { [weak self] in self?.publisher.republishAll() }
  }

  /// The will of an earlier connection of ours can arrive after our `online`: put it right.
  ///
  /// What the broker replays at the subscription is older than our `online`, which follows it.
  private func watchOwnState(_ message: Message) {
    guard publisher.isConnected, !isStopping, !message.isRetained, message.text != "online" else { return }
    if stateGuard.happens(at: .nanoseconds(MonotonicTime.now.nanoseconds)) {
      log.warning(
        "somebody published '\(message.text?.excerpt ?? "bytes")' as this bridge's state: put right")
      stateTopic.repeatPayload()
    } else {
      stateRepeat = LoopTimer(after: .seconds(1)) { [weak self] in self?.stateTopic.repeatPayload() }
    }
  }

  private func readDevices(of bridge: String, _ message: Message) {
    let isOwn = bridge == topics.bridge
    // What is not replayed is our own word of just now.
    if isOwn, memory.content.isComplete || !message.isRetained { return }
    var list = Value.unknown
    if !message.payload.isEmpty {
      guard let value = try? JSON.parse(message.payload, limits: JSON.Limits(size: 1 << 20)) else { return }
      list = value
    }
    if isOwn { adopt(list) } else { readClaims(of: bridge, list) }
  }

  private func readClaims(of bridge: String, _ list: Value) {
    let (new, gone) = claims.update(bridge: bridge, ids: DeviceClaims.ids(in: list))
    for id in new where devices[id] != nil {
      log.error("the device '\(id)' is served by the bridge '\(bridge)' as well: give one of them another id")
      var members = Value.Members([("event_type", "device_claimed_twice")])
      members["device"] = .text(id)
      members["bridge"] = .text(bridge)
      publisher.publishEvent(.object(members), to: topics.bridgeEvent)
    }
    if (new + gone).contains(where: { devices[$0] != nil }) { publishDevicesSoon() }
  }

  /// Without a file of its own the bridge learns from the broker what it published in an earlier life.
  private func adopt(_ published: Value) {
    guard var content = TopicMemory.Content(published) else { return }
    content.topics.removeAll { !$0.hasPrefix("\(topics.base)/") }
    restore(content)
    memory.complete()
    rediscover()
    clearLeftOversSoon()
  }

  private func command(
    to id: String, property: String? = nil, _ message: Message,
    _ read: (CommandReader) throws(CommandReader.Refusal) -> [Command]
  ) {
    guard let device = devices[id] else { return }
    guard
      isNew(message) || isSafe(message, for: property, of: device)
        || isLive(message, device: id, property: property)
    else { return }
    let reader = CommandReader(device: device.id, description: device.description) { device.state[$0] }
    do throws(CommandReader.Refusal) {
      submit(try read(reader), to: device)
    } catch {
      reportFailure(id, error.property ?? property, error.rejection)
    }
  }

  private func refresh(_ id: String, _ message: Message) {
    guard let device = devices[id], isLive(message, device: id, property: nil) else { return }
    device.republish()
    device.submit(DeviceRequest(work: .refresh))
  }

  private func transmit(to id: String, _ message: Message) {
    guard let device = devices[id], isLive(message, device: id, property: "tx") else { return }
    transmit(message.payload, to: device)
  }

  private func isNew(_ message: Message) -> Bool { !message.isRetained && ageByStandstill() == nil }

  /// A word that is obeyed although it may be old: a driver's will, say, may be retained.
  private func isSafe(_ message: Message, for property: String?, of device: DeviceRuntime) -> Bool {
    guard let property, let text = message.text?.trimmingSpaces().lowercased() else { return false }
    let words = device.description.properties.first { $0.key.text == property }?.obeyedWhenRetained ?? []
    return words.contains { $0.lowercased() == text }
  }

  /// A broker replays retained commands at every reconnect: they do nothing. An empty one only clears. Nor does one
  /// that may have waited in a socket while the bridge stood still.
  func isLive(_ message: Message, device: String?, property: String?) -> Bool {
    guard message.isRetained else {
      guard let age = ageByStandstill() else { return true }
      reportFailure(
        device, property,
        Rejection(
          .timeout,
          "\(message.topic): the bridge stood still for \(age.configurationText), and it may be that old"))
      return false
    }
    if !message.payload.isEmpty {
      reportFailure(
        device, property,
        Rejection(
          .retained, "\(message.topic): a retained command is not carried out; publish it without retain"))
    }
    return false
  }
}
