public import DeviceModel

extension DiscoveryRecord {
  /// As it stands in a file or a topic: an object of lists, by topic, `{"…/config": ["switch/power", …]}`.
  public var value: Value {
    .object(
      Value.Members(
        entries.sorted { $0.key < $1.key }.map { topic, entry in
          (topic, .list(entry.items.sorted().map { .text("\($0.platform)/\($0.key)") }))
        }))
  }

  /// Reads what ``value`` gave. Since all that it names will be cleared, it must name discovery topics and no others.
  public init(_ value: Value) throws(DiscoveryRecordError) {
    guard case .object(let members) = value else { throw .notAnObject }
    for (topic, list) in members.pairs {
      guard case .list(let values) = list else { throw .notAList(topic: topic) }
      var items: Set<Item> = []
      for value in values {
        guard case .text(let text) = value, let item = Item(text) else { throw .notAnEntity(topic: topic) }
        items.insert(item)
      }
      guard let entry = Entry(topic: topic, items: items) else { throw .notADiscoveryTopic(topic) }
      entries[topic] = entry
    }
  }
}

/// What is wrong with a remembered record.
public enum DiscoveryRecordError: Error, Hashable, Sendable {
  case notAnObject
  case notAList(topic: String)
  case notAnEntity(topic: String)
  case notADiscoveryTopic(String)
}

extension DiscoveryRecord.Item {
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && DiscoveryTopics.sanitized($0) == $0 }) else {
      return nil
    }
    self.init(platform: parts[0], key: parts[1])
  }
}

extension DiscoveryRecord.Entry {
  fileprivate init?(topic: String, items: Set<DiscoveryRecord.Item>) {
    let segments = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.last == "config", !topic.contains(where: { $0 == "+" || $0 == "#" || $0 == "\0" }) else {
      return nil
    }
    if segments.count >= 4, segments[segments.count - 3] == "device" {
      self.init(form: .device, object: segments[segments.count - 2], items: items)
    } else if segments.count >= 5, let item = items.first, items.count == 1,
      segments[(segments.count - 4)...] == [item.platform, segments[segments.count - 3], item.key, "config"]
    {
      let node = segments[segments.count - 3]
      let isAlone = Platform(rawValue: item.platform)?.standsAlone ?? false
      let object =
        isAlone && node.hasSuffix(DiscoveryTopics.alone)
        ? node.dropLast(DiscoveryTopics.alone.count) : node[...]
      self.init(form: .components, object: String(object), items: items)
    } else {
      return nil
    }
    guard object.hasPrefix("sketch2mqtt_"), DiscoveryTopics.sanitized(object) == object else { return nil }
  }
}
