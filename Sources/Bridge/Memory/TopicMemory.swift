import DeviceModel
import EventLoop
import HomeAssistant
import JSON

/// The retained topics that are this bridge's own, kept across restarts, so that what is removed from the
/// configuration while the bridge is off can be cleared on the broker.
@Loop final class TopicMemory {
  struct Content: Hashable, Sendable {
    var topics: [String] = []
    var discovery = DiscoveryRecord()
    /// Nothing was published before that is missing here.
    var isComplete = false
  }

  private let file: StateFile
  private let log: Log
  private(set) var content = Content()
  private var saved: [UInt8]?
  private var hasWarned = false
  private var retry: LoopTimer?
  /// Until a write is tried again that failed.
  private static let pause = Duration.seconds(10)

  /// - Parameter file: A path, or nil to keep nothing.
  init(file: String?, log: Log) {
    self.file = StateFile(path: file)
    self.log = log
  }

  /// Reads the file. One that is missing or damaged counts as unknown, and is said to be.
  func load() {
    switch file.read() {
    case .missing: break
    case .failed(let why): log.warning("cannot read \(file.name): \(why)")
    case .content(let bytes):
      do throws(JSONError) {
        guard let content = Content(try JSON.parse(bytes, limits: JSON.Limits(size: 4 << 20))) else {
          log.warning("\(file.name) is damaged and is written anew: it does not list topics")
          return
        }
        self.content = content
        saved = bytes
      } catch {
        log.warning("\(file.name) is damaged and is written anew: \(error)")
      }
    }
  }

  /// Takes the file for complete: the broker's own list was read, or there is none.
  func complete() { content.isComplete = true }

  /// Writes the file if it is different. A disk that is full or read-only is warned of once and tried again until it
  /// takes the file.
  ///
  /// - Returns: whether `topics` or `discovery` are others than before.
  @discardableResult
  func save(topics: [String], discovery: DiscoveryRecord) -> Bool {
    let old = content
    content.topics = topics
    content.discovery = discovery
    write()
    return content != old
  }

  private func write() {
    retry?.cancel()
    let bytes = JSON.bytes(of: content.value)
    guard bytes != saved else { return }
    if let why = file.write(bytes) {
      if !hasWarned {
        log.warning(
          "cannot write \(file.name): \(why); what is removed while the bridge is off stays on the broker")
      }
      hasWarned = true
      retry = LoopTimer(after: Self.pause) { [weak self] in self?.write() }
    } else {
      saved = bytes
      hasWarned = false
    }
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
