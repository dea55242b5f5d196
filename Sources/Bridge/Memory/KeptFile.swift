import DeviceModel
import EventLoop
import JSON

/// A state file of JSON and what stands in it.
///
/// The disk is waited for on a thread: a slow card takes seconds for what it was given, and commands do not wait for it.
/// One content is written at a time; of those that come meanwhile the newest follows. A disk that is full or read-only
/// is warned of once, and tried again until it takes the content.
@Loop final class KeptFile {
  private let file: StateFile
  private let write: Write
  private let log: Log
  /// What it costs when the file cannot be written, for the warning.
  private let cost: String
  /// What is to stand in the file; nil while there is nothing to be kept.
  private var content: [UInt8]?
  /// Counts contents, so that it is known of each whether it is settled.
  private var latest = 0
  private var settled = 0
  /// What the thread is at.
  private var underWay: Int?
  private var waiting: [(number: Int, body: @Loop () -> Void)] = []
  private var hasWarned = false
  private var retry: LoopTimer?

  /// Puts a whole content on the disk; returns why it is not there.
  typealias Write = @Sendable ([UInt8]) -> String?

  /// Until a write is tried again that failed.
  private static let pause = Duration.seconds(10)
  /// Who waits for a disk that does not answer.
  static let mostWaiting = 256

  /// - Parameter write: How the disk takes a content, of any thread.
  init(_ file: StateFile, cost: String, log: Log, write: Write? = nil) {
    self.file = file
    self.cost = cost
    self.log = log
    self.write = write ?? { file.write($0) }
  }

  var isEmpty: Bool { content == nil }

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
        content = bytes
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

  /// Has `bytes` written, unless they stand in the file or are on their way there.
  func keep(_ bytes: [UInt8]) {
    guard file.path != nil else {
      content = bytes
      return
    }
    if bytes != content {
      content = bytes
      latest += 1
    }
    begin()
  }

  /// Calls `body` once, never from within this call: when the disk has taken what it was given until now, or refused it,
  /// which is tried again later. Nobody is called while the disk does not answer.
  /// Nobody is called either when too many wait already, see ``isJammed``.
  func whenSettled(_ body: @escaping @Loop () -> Void) {
    guard settled < latest else { return Loop.atTurnEnd(body) }
    if !isJammed { waiting.append((latest, body)) }
  }

  /// Whether so many wait for the disk that nobody else can.
  var isJammed: Bool { waiting.count >= Self.mostWaiting }

  /// Returns when all is settled, and nothing is tried again just now; when it is not by `deadline`, that is logged.
  func settle(by deadline: MonotonicTime) async {
    let isSettled = await Loop.suspend { (done: CheckedContinuation<Bool, Never>) in
      guard settled < latest || underWay != nil else { return done.resume(returning: true) }
      let wait = DiskWait(done)
      wait.timer = LoopTimer(after: MonotonicTime.now.duration(to: deadline)) { wait.end(false) }
      waiting.append((latest, { wait.end(true) }))
    }
    if !isSettled { log.error("\(file.name) is not written: the disk does not answer; \(cost)") }
  }

  // MARK: writing

  /// The content that failed last is as if it were new.
  private var isOnDisk: Bool { settled == latest && retry == nil }

  private func begin() {
    guard underWay == nil, !isOnDisk, let content else { return }
    retry?.cancel()
    retry = nil
    let number = latest
    underWay = number
    do throws(SystemCallFailure) {
      try DetachedThread.start { [write] in
        let why = write(content)
        Loop.enqueue { self.ended(number, why) }
      }
    } catch {
      Loop.atTurnEnd { self.ended(number, error.description) }
    }
  }

  private func ended(_ number: Int, _ why: String?) {
    underWay = nil
    settled = number
    if let why {
      if !hasWarned { log.warning("cannot write \(file.name): \(why); \(cost)") }
      hasWarned = true
      retry = LoopTimer(after: Self.pause) { [weak self] in self?.begin() }
    } else {
      hasWarned = false
    }
    let told = waiting.prefix { $0.number <= number }
    waiting.removeFirst(told.count)
    for each in told { each.body() }
    if settled < latest { begin() }
  }
}

/// What comes first: the disk, or the end of patience.
@Loop private final class DiskWait {
  private var continuation: CheckedContinuation<Bool, Never>?
  var timer: LoopTimer?

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }

  func end(_ isSettled: Bool) {
    timer?.cancel()
    continuation?.resume(returning: isSettled)
    continuation = nil
  }
}
