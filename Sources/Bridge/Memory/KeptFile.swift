import DeviceModel
import EventLoop
import JSON

/// A state file of JSON and what stands in it. A disk that is full or read-only is warned of once, and tried again until it
/// takes the content.
@Loop final class KeptFile {
  private let file: StateFile
  private let log: Log
  /// What it costs when the file cannot be written, for the warning.
  private let cost: String
  private var saved: [UInt8]?
  private var hasWarned = false
  private var retry: LoopTimer?

  /// Until a write is tried again that failed.
  private static let pause = Duration.seconds(10)

  init(_ file: StateFile, cost: String, log: Log) {
    self.file = file
    self.cost = cost
    self.log = log
  }

  var isEmpty: Bool { saved == nil }

  /// Reads the file with `take`, which throws when it is damaged, or of a version that is not known; that is warned
  /// of, and the file is kept under another name.
  func load(_ limits: JSON.Limits, _ take: (Value) throws(Damage) -> Void) {
    switch file.read() {
    case .missing: break
    case .failed(let why): log.warning("cannot read \(file.name): \(why)")
    case .unusable(let why): setAside(because: why)
    case .content(let bytes):
      do throws(Damage) {
        try take(Self.parse(bytes, limits))
        saved = bytes
      } catch {
        setAside(because: error.words)
      }
    }
  }

  private func setAside(because why: String) {
    let kept = file.setAside().map { "; the old one is kept as \($0)" } ?? ""
    log.warning("\(file.name) is damaged and is written anew: \(why)\(kept)")
  }

  private static func parse(_ bytes: [UInt8], _ limits: JSON.Limits) throws(Damage) -> Value {
    do throws(JSONError) { return try JSON.parse(bytes, limits: limits) } catch {
      throw Damage(words: "\(error)")
    }
  }

  struct Damage: Error {
    let words: String
  }

  /// Writes what is another content than before.
  func write(_ bytes: [UInt8]) {
    retry?.cancel()
    guard bytes != saved else { return }
    guard let why = file.write(bytes) else {
      saved = bytes
      hasWarned = false
      return
    }
    if !hasWarned { log.warning("cannot write \(file.name): \(why); \(cost)") }
    hasWarned = true
    retry = LoopTimer(after: Self.pause) { [weak self] in self?.write(bytes) }
  }
}
