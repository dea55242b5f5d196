import DeviceModel
import EventLoop
import JSON

/// What adapters want to know again after a restart, in one file.
///
/// The file is replaced whole, soon after the turn in which something was to be remembered: whoever is killed at any
/// instant has the old or the new content.
@Loop final class AdapterMemory {
  private struct Entry: Equatable {
    /// What one kind remembers means nothing to another.
    var kind: String
    var json: [UInt8]
  }

  let file: KeptFile
  private var entries: [String: Entry] = [:]
  private var isDue = false
  private var timer: LoopTimer?
  private var allowance = Allowance(atOnce: 16, oneMoreEvery: .seconds(1))

  /// Devices times what one may remember, and what is around it. Bytes.
  private static let limit = 64 << 20

  /// - Parameter file: A path, or nil to keep nothing beyond the life of the process.
  init(file: String?, log: Log) {
    self.file = KeptFile(
      StateFile(path: file, limit: Self.limit), cost: "what devices remember is lost at the next restart",
      log: log)
  }

  /// Reads the file. One that is missing or damaged counts as empty, and is said to be.
  func load() {
    file.load(JSON.Limits(size: Self.limit, depth: Self.depth + 3)) { value throws(KeptFile.Damage) in
      try take(value)
    }
  }

  private static let depth = 32

  private func take(_ value: Value) throws(KeptFile.Damage) {
    guard case .object(let content) = value, case .object(let devices)? = content["devices"] else {
      throw KeptFile.Damage(words: "it lists no devices")
    }
    for (id, value) in devices.pairs {
      guard case .object(let device) = value, case .text(let kind)? = device["kind"],
        let remembered = device["value"]
      else { continue }
      entries[id] = Entry(kind: kind, json: JSON.bytes(of: remembered))
    }
  }

  /// What a device of this id and kind remembered last.
  func value(of id: DeviceID, kind: String) -> Value {
    guard let entry = entries[id.text], entry.kind == kind else { return .unknown }
    return (try? JSON.parse(entry.json, limits: Self.limits)) ?? .unknown
  }

  private static let limits = JSON.Limits(size: Output.mostRemembered, depth: depth)

  /// Takes `value` in place of what the device remembered; unknown takes nothing.
  ///
  /// - Returns: what is wrong with it; it is not taken then.
  func remember(_ value: Value, of id: DeviceID, kind: String) -> JSONError? {
    guard value != .unknown else {
      forget(id)
      return nil
    }
    let new = Entry(kind: kind, json: JSON.bytes(of: value))
    guard new != entries[id.text] else { return nil }
    // What could not be read again would cost all devices their memory.
    do throws(JSONError) { _ = try JSON.parse(new.json, limits: Self.limits) } catch { return error }
    entries[id.text] = new
    saveAtTurnEnd()
    return nil
  }

  func forget(_ id: DeviceID) {
    if entries.removeValue(forKey: id.text) != nil { saveAtTurnEnd() }
  }

  /// Forgets all devices but these.
  func keep(only ids: [DeviceID]) {
    let known = Set(ids.map(\.text))
    for id in entries.keys where !known.contains(id) {
      entries[id] = nil
      saveAtTurnEnd()
    }
  }

  /// Calls `body` once, later, when what is remembered now is on the disk, or the disk has refused it.
  func whenKept(_ body: @escaping @Loop () -> Void) {
    if isDue { flush() }
    file.whenSettled(body)
  }

  /// Hands over what was not handed over to the disk yet.
  func flush() {
    timer?.cancel()
    timer = nil
    isDue = false
    write()
  }

  /// An adapter that has ever something new to remember does not wear the disk out.
  private func saveAtTurnEnd() {
    guard !isDue else { return }
    isDue = true
    Loop.atTurnEnd { [weak self] in
      guard let self, isDue else { return }
      let wait = allowance.take(at: .nanoseconds(MonotonicTime.now.nanoseconds))
      if wait > .zero { timer = LoopTimer(after: wait) { [weak self] in self?.flush() } } else { flush() }
    }
  }

  private func write() {
    if !file.isEmpty || !entries.isEmpty { file.keep(content) }
  }

  private var content: [UInt8] {
    var bytes = Array(#"{"version":1,"devices":{"#.utf8)
    for (index, (id, entry)) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.append(.text(id), to: &bytes)
      bytes += #":{"kind":"#.utf8
      JSON.append(.text(entry.kind), to: &bytes)
      bytes += #","value":"#.utf8
      bytes += entry.json
      bytes.append(UInt8(ascii: "}"))
    }
    return bytes + "}}".utf8
  }
}
