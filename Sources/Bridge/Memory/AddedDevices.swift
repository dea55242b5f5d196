import Configuration
import DeviceModel
import EventLoop
import JSON

/// Devices that were added while the bridge ran, in a file of their own.
///
/// Each is kept as it was written: the same keys as a device of the configuration. What cannot be read any more, as
/// its kind has changed, stays in the file and waits.
@Loop final class AddedDevices {
  struct Entry {
    var written: Value.Members
    /// nil when what is written is wrong by now.
    var device: Configuration.Device?
  }

  private let file: StateFile
  private let log: Log
  /// In the order in which they were added.
  private(set) var entries: [Entry] = []
  private var hasWarned = false

  /// Devices at most; more are refused.
  static let limit = 500
  private static let limits = JSON.Limits(size: 8 << 20, depth: 64)

  /// - Parameter file: A path, or nil to keep nothing beyond the life of the process.
  init(file: String?, log: Log) {
    self.file = StateFile(path: file, limit: Self.limits.size)
    self.log = log
  }

  var devices: [Configuration.Device] { entries.compactMap(\.device) }

  var ids: Set<DeviceID> { Set(devices.map(\.id)) }

  /// Reads the file. One that is missing or damaged counts as empty, and is said to be.
  func load(kinds: [Kind]) {
    switch file.read() {
    case .missing: break
    case .failed(let why): log.warning("cannot read \(file.name): \(why)")
    case .content(let bytes):
      do throws(JSONError) {
        try take(JSON.parse(bytes, limits: Self.limits), kinds: kinds)
      } catch {
        log.error("\(file.name) is damaged: \(error); the devices that were added are lost")
      }
    }
  }

  private func take(_ value: Value, kinds: [Kind]) {
    guard case .object(let content) = value, case .list(let list)? = content["devices"] else {
      log.error("\(file.name) is damaged: it lists no devices; those that were added are lost")
      return
    }
    for case .object(let written) in list.prefix(Self.limit) {
      let (device, problems) = Configuration.device(from: written, kinds: kinds)
      for problem in problems where problem.severity == .error { log.error("\(file.name): \(problem.words)") }
      entries.append(Entry(written: written, device: device))
    }
  }

  func append(_ device: Configuration.Device, _ written: Value.Members) {
    entries.append(Entry(written: written, device: device))
    save()
  }

  func remove(_ id: DeviceID) {
    entries.removeAll { $0.device?.id == id }
    save()
  }

  private func save() {
    let content = Value.Members([
      ("version", 1), ("devices", .list(entries.map { .object($0.written) })),
    ])
    if let why = file.write(JSON.bytes(of: .object(content))) {
      if !hasWarned {
        log.warning(
          "cannot write \(file.name): \(why); what is added or removed now is forgotten at the next start")
      }
      hasWarned = true
    } else {
      hasWarned = false
    }
  }
}

extension ConfigurationProblem {
  /// Without a place in a file.
  var words: String {
    let text = description
    return text.hasPrefix("\(location): ") ? String(text.dropFirst("\(location): ".count)) : text
  }
}
