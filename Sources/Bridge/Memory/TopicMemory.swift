import DeviceModel
import EventLoop
import HomeAssistant
import JSON

/// The retained topics that are this bridge's own, kept across restarts, so that what is removed from the
/// configuration while the bridge is off can be cleared on the broker.
///
/// The disk is not waited for: what was published for the first time in the moment before the process is killed may be
/// missing here.
@Loop final class TopicMemory {
  struct Content: Hashable, Sendable {
    var topics: [String] = []
    var discovery = DiscoveryRecord()
    /// Nothing was published before that is missing here.
    var isComplete = false
  }

  let file: KeptFile
  private(set) var content = Content()

  /// - Parameter file: A path, or nil to keep nothing.
  init(file: String?, log: Log) {
    self.file = KeptFile(
      StateFile(path: file), cost: "what is removed while the bridge is off stays on the broker", log: log)
  }

  /// Reads the file. One that is missing or damaged counts as unknown, and is said to be.
  func load() {
    file.load(JSON.Limits(size: 4 << 20)) { value throws(KeptFile.Damage) in
      guard let content = Content(value) else { throw KeptFile.Damage(words: "it does not list topics") }
      self.content = content
    }
  }

  /// Takes the file for complete: the broker's own list was read, or there is none.
  func complete() { content.isComplete = true }

  /// Has the file written if it is different. A disk that does not take it costs only this.
  ///
  /// - Returns: whether `topics` or `discovery` are others than before.
  @discardableResult
  func save(topics: [String], discovery: DiscoveryRecord) -> Bool {
    let old = content
    content.topics = topics
    content.discovery = discovery
    file.keep(JSON.bytes(of: content.value))
    return content != old
  }
}

extension TopicMemory.Content {
  /// nil for what ``value`` never gives.
  init?(_ value: Value) {
    guard case .object(let members) = value, case .list(let list)? = members["topics"],
      let discovery = try? DiscoveryRecord(members["discovery"] ?? .unknown)
    else { return nil }
    topics = list.compactMap { if case .text(let topic) = $0 { topic } else { nil } }
    self.discovery = discovery
    isComplete = members["complete"] == true
  }

  var value: Value {
    .object(
      Value.Members([
        ("version", 1), ("complete", .boolean(isComplete)), ("topics", .list(topics.map { .text($0) })),
        ("discovery", discovery.value),
      ]))
  }
}
