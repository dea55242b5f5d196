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
  }

  private let file: StateFile
  private let log: Log
  private(set) var content = Content()
  /// No file told what was published before: the broker's own retained list may.
  private(set) var isUnknown = true
  private var saved: [UInt8]?
  private var hasWarned = false

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
        isUnknown = false
      } catch {
        log.warning("\(file.name) is damaged and is written anew: \(error)")
      }
    }
  }

  /// Takes what another source remembers, once.
  func adopt(_ content: Content) {
    guard isUnknown else { return }
    self.content = content
    isUnknown = false
  }

  /// Nobody remembers more than the file did: from now on it is kept.
  func settle() { isUnknown = false }

  /// Writes the file if it is different. A disk that is full or read-only is warned of once and costs only this.
  ///
  /// While what was published before is unknown nothing is written: a later start could take it for all there is.
  func save(_ new: Content) {
    content = new
    guard !isUnknown else { return }
    let bytes = JSON.bytes(of: new.value)
    guard bytes != saved else { return }
    if let why = file.write(bytes) {
      if !hasWarned {
        log.warning(
          "cannot write \(file.name): \(why); what is removed while the bridge is off stays on the broker")
      }
      hasWarned = true
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
  }

  var value: Value {
    .object(
      Value.Members([
        ("version", 1), ("topics", .list(topics.map { .text($0) })), ("discovery", discovery.value),
      ]))
  }
}
