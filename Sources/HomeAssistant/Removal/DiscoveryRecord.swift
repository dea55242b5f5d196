/// What was announced and under which topics: what must be remembered to take it back later.
public struct DiscoveryRecord: Hashable, Sendable {
  /// By discovery topic.
  public internal(set) var entries: [String: Entry] = [:]

  public init() {}

  init(_ entries: [String: Entry]) { self.entries = entries }

  init(_ announcements: [Announcement]) {
    for announcement in announcements {
      let topics = DiscoveryTopics(settings: announcement.settings)
      let object = announcement.object
      let isTogether = announcement.settings.form == .device
      var together: Set<Item> = []
      for component in announcement.components where announcement.settings.form != .off {
        if isTogether, !component.platform.standsAlone {
          together.insert(component.item)
        } else {
          entries[topics.config(object: object, component.item)] = Entry(
            form: .components, object: object, items: [component.item])
        }
      }
      if !together.isEmpty {
        entries[topics.config(object: object)] = Entry(form: .device, object: object, items: together)
      }
    }
  }

  public var isEmpty: Bool { entries.isEmpty }
  public var topics: Set<String> { Set(entries.keys) }

  /// What one topic holds.
  public struct Entry: Hashable, Sendable {
    public var form: DiscoverySettings.Form
    /// The identifier of the device.
    public var object: String
    /// One in the form `components`.
    public var items: Set<Item>
  }

  /// An entity of a device.
  public struct Item: Hashable, Sendable, Comparable {
    /// Home Assistant's word, `binary_sensor`.
    public var platform: String
    public var key: String

    public static func < (left: Item, right: Item) -> Bool {
      (left.key, left.platform) < (right.key, right.platform)
    }
  }

  /// Both; for a topic in both, all entities of either.
  public func union(_ other: DiscoveryRecord) -> DiscoveryRecord {
    var union = self
    for (topic, entry) in other.entries {
      union.entries[topic] = Entry(
        form: entry.form, object: entry.object, items: entry.items.union(entries[topic]?.items ?? []))
    }
    return union
  }

  func filter(_ isIncluded: (Entry) -> Bool) -> DiscoveryRecord {
    DiscoveryRecord(entries.filter { isIncluded($0.value) })
  }
}
