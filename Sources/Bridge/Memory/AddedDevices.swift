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

  let file: KeptFile
  private let log: Log
  /// In the order in which they were added.
  private(set) var entries: [Entry] = []

  /// Devices at most; more are refused.
  static let limit = 500
  private static let limits = JSON.Limits(size: 8 << 20, depth: 64)

  /// - Parameter file: A path, or nil to keep nothing beyond the life of the process.
  init(file: String?, log: Log) {
    self.file = KeptFile(
      StateFile(path: file, limit: Self.limits.size),
      cost: "what is added or removed now is forgotten at the next start", log: log)
    self.log = log
  }

  var devices: [Configuration.Device] { entries.compactMap(\.device) }

  var ids: Set<DeviceID> { Set(devices.map(\.id)) }

  /// Reads the file. One that is missing or damaged counts as empty, and is said to be.
  func load(kinds: [Kind]) {
    file.load(Self.limits) { value throws(KeptFile.Damage) in
      guard case .object(let content) = value, case .list(let list)? = content["devices"] else {
        throw KeptFile.Damage(words: "it lists no devices")
      }
      for case .object(let written) in list.prefix(Self.limit) { take(written, kinds: kinds) }
    }
  }

  private func take(_ written: Value.Members, kinds: [Kind]) {
    let (device, problems) = Configuration.device(from: written, kinds: kinds)
    for problem in problems where problem.severity == .error {
      log.error("a device that was added rests: \(problem.words)")
    }
    entries.append(Entry(written: written, device: device))
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
    file.keep(JSON.bytes(of: .object(content)))
  }
}
