import DeviceModel

/// The messages that take back what was announced.
struct DiscoverySteps {
  var topics: DiscoveryTopics
  var wanted: DiscoveryRecord

  /// Take entities away for good.
  private var removals: [DiscoveryMessage] = []
  /// Tell Home Assistant to let go of entities that another topic will announce, and to keep their settings.
  private var migrations: [DiscoveryMessage] = []
  /// Clear the topics that were let go of. Comes before the other topics speak: with no entity bound to the topic
  /// any more the clearing touches nothing. Of a device topic Home Assistant then says once in its log that it found
  /// nothing to clean up; cleared later, it would say so of each entity.
  private var clearings: [DiscoveryMessage] = []

  init(topics: DiscoveryTopics, wanted: DiscoveryRecord) {
    self.topics = topics
    self.wanted = wanted
  }

  /// Takes back of a topic that was announced what is not wanted on it.
  mutating func leave(_ topic: String, _ entry: DiscoveryRecord.Entry) {
    if let new = wanted.entries[topic] {
      remove(entry.items.subtracting(new.items), topic, entry)
      return
    }
    // Home Assistant listens to one prefix: there is nobody to move entities of another.
    let moving = isOfThisPrefix(topic, entry) ? entry.items.intersection(wanted.items(of: entry.object)) : []
    guard !moving.isEmpty else {
      removals.append(DiscoveryMessage(topic, nil))
      return
    }
    remove(entry.items.subtracting(moving), topic, entry)
    migrations.append(DiscoveryMessage(topic, ["migrate_discovery": true]))
    clearings.append(DiscoveryMessage(topic, nil))
  }

  func stages(endingWith messages: [DiscoveryMessage]) -> [[DiscoveryMessage]] {
    let removed = Set(removals.map(\.topic))
    let first = removals + migrations.filter { !removed.contains($0.topic) }
    let second = migrations.filter { removed.contains($0.topic) }
    return [first, second, clearings + messages].filter { !$0.isEmpty }
  }

  private mutating func remove(
    _ items: Set<DiscoveryRecord.Item>, _ topic: String, _ entry: DiscoveryRecord.Entry
  ) {
    guard !items.isEmpty else { return }
    // Two platforms cannot stand under one key: one message for each.
    var rest = items.sorted()
    while !rest.isEmpty {
      var keys: Set<String> = []
      let batch = rest.filter { keys.insert($0.key).inserted }
      rest.removeAll { batch.contains($0) }
      let payload = Announcement.removal(of: batch, object: entry.object, settings: topics.settings)
      removals.append(DiscoveryMessage(topic, payload))
    }
  }

  private func isOfThisPrefix(_ topic: String, _ entry: DiscoveryRecord.Entry) -> Bool {
    topic == topics.config(object: entry.object)
      || entry.items.contains { topic == topics.config(object: entry.object, $0) }
  }
}

extension DiscoveryRecord {
  func items(of object: String) -> Set<Item> {
    entries.values.filter { $0.object == object }.reduce(into: []) { $0.formUnion($1.items) }
  }
}
