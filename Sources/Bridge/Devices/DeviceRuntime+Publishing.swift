import DeviceModel
import EventLoop
import MQTT

extension DeviceRuntime {
  func setAvailable(_ isNew: Bool) {
    guard isNew != isAvailable else { return }
    isAvailable = isNew
    if isNew { primary?.worked() }
    publishAtTurnEnd()
    log.info("\(id) is \(isNew ? "online" : "offline")")
    owner?.device(self, .availabilityChanged)
  }

  func publishAtTurnEnd() {
    guard !isPublishDue else { return }
    isPublishDue = true
    Loop.atTurnEnd { [weak self] in
      if let self, isPublishDue { publish() }
    }
  }

  /// State before availability: whoever sees the device come online sees what it is at once.
  func publish() {
    isPublishDue = false
    if setup.output.hasJSON { stateTopic.set(state.json(extras: extras)) }
    let changed = state.takeChanged()
    if setup.output.hasValues {
      for (key, bytes) in changed { publisher.retained(topics.value(id, key), rank: .state).set(bytes) }
    }
    availabilityTopic.set(isAvailable ? "online" : "offline")
  }

  private var extras: Value.Members {
    var extras = Value.Members()
    if setup.showsLastSeen { extras["last_seen"] = lastSeen.map { .text($0.iso8601) } ?? .unknown }
    if setup.showsRSSI { extras["rssi"] = signalStrength.map { .integer($0) } ?? .unknown }
    if setup.showsReconnects {
      extras["reconnects"] = .integer(max(0, (primary?.counters.connects ?? 0) - 1))
    }
    return extras
  }

  func scheduleRelease(at now: Moment) {
    guard releaseTimer == nil, let next = state.nextRelease else { return }
    releaseTimer = LoopTimer(after: next - now.uptime) { [weak self] in
      guard let self else { return }
      releaseTimer = nil
      if state.release(at: self.now) { publishAtTurnEnd() }
      scheduleRelease(at: self.now)
    }
  }

  func publishEvent(_ type: String, _ facts: Value.Members) {
    var members = Value.Members([("event_type", .text(type))])
    for (name, value) in facts.pairs { members[name] = value }
    publisher.publishEvent(.object(members), to: topics.event(id))
  }

  func publishStream(_ bytes: [UInt8], on subtopic: String) {
    let topic = streamTopics[subtopic] ?? topics.below(id, subtopic)
    if backlog.isEmpty, publisher.publishStream(bytes, to: topic, qos: .atMostOnce) { return }
    primary?.isReading = false
    guard backlogBytes + bytes.count <= Self.backlogLimit else { return publisher.countDropped() }
    backlog.append((topic, bytes))
    backlogBytes += bytes.count
  }

  /// There is room again: what was taken from the board goes first, then the board may go on.
  func hasRoom() {
    guard !backlog.isEmpty else { return }
    var count = 0
    for (topic, bytes) in backlog {
      guard publisher.publishStream(bytes, to: topic, qos: .atMostOnce) else { break }
      count += 1
      backlogBytes -= bytes.count
    }
    backlog.removeFirst(count)
    if backlog.isEmpty { primary?.isReading = true }
  }
}
