import EventLoop

/// Who connects next, and whether the adapter scans. Pure: it is told what happened and asked what to do.
///
/// One connect at a time, and none while scanning; the board whose last attempt is longest ago comes first; only
/// a board heard advertising since its last attempt is tried. So an absent board never holds a present one up.
/// Boards that fail again and again do not keep who listens to advertisements deaf either.
struct ConnectScheduler {
  /// A number that the owner gave to a board.
  typealias Board = Int

  enum Action: Hashable {
    case startScanning
    case stopScanning
    case connect(Board)
  }

  /// What `StartDiscovery` and `StopDiscovery` have come to.
  enum Scan: Hashable { case off, starting, on, stopping }

  /// What those who listen to advertisements need.
  enum Listening: Hashable {
    case none
    /// Whatever connecting leaves.
    case always
    /// Monitors hear; a short scan now and then tells how strongly.
    case inSessions
  }

  private enum Presence: Hashable {
    /// Not heard since the last attempt or connection.
    case unheard
    case heard(MonotonicTime)
    case connecting
    case linked(MonotonicTime)
  }

  private struct Entry {
    var isWanted = false
    var presence = Presence.unheard
    var notBefore: MonotonicTime?
    var backOff: BackOff
    /// The attempt under way follows a quick failure, or the next one does.
    var isSecondTry = false
    var lastAttempt: UInt64 = 0
  }

  private let timing: ConnectTiming
  private var entries: [Board: Entry] = [:]
  private var attempts: UInt64 = 0
  private var connecting: Board?
  private var scanNotBefore: MonotonicTime?
  private var scanBackOff: BackOff

  /// Since a scan was stopped for a board; nil while scanning and before the first.
  private var deafSince: MonotonicTime?
  /// Of the last scan; nil before.
  private var restingSince: MonotonicTime?
  /// The scan is on, or begins, for those who listen: nobody connects before it has lasted.
  private var isMakingUp = false
  private var scanningSince: MonotonicTime?

  private(set) var scan = Scan.off
  /// The adapter is there and powered on.
  private(set) var isUsable = false
  var listening = Listening.none

  init(timing: ConnectTiming) {
    self.timing = timing
    scanBackOff = timing.backOff
  }

  // MARK: What happened

  mutating func add(_ board: Board) { entries[board] = Entry(backOff: timing.backOff) }

  mutating func remove(_ board: Board) {
    entries[board] = nil
    if connecting == board { connecting = nil }
  }

  mutating func want(_ board: Board, _ isWanted: Bool) { entries[board]?.isWanted = isWanted }

  /// The board advertises.
  mutating func heard(_ board: Board, at now: MonotonicTime) {
    switch entries[board]?.presence {
    case .unheard, .heard: entries[board]?.presence = .heard(now)
    default: break
    }
  }

  /// The board is connected, by the attempt under way or by somebody else: the next board may connect.
  mutating func linked(_ board: Board, at now: MonotonicTime) {
    if connecting == board { connecting = nil }
    entries[board]?.presence = .linked(now)
  }

  /// The attempt or the connection ended against our will, and BlueZ shows the board disconnected.
  ///
  /// - Parameters:
  ///   - lasted: Since the attempt began.
  ///   - wasUp: Whether bytes could be sent and received; if not, it counts as a failed attempt.
  ///   - random: 0 up to 1.
  /// - Returns: whether another attempt follows at once.
  @discardableResult
  mutating func failed(
    _ board: Board, after lasted: Duration, wasUp: Bool, at now: MonotonicTime, random: Double
  ) -> Bool {
    if connecting == board { connecting = nil }
    guard var entry = entries[board] else { return false }
    let isRetried = !wasUp && lasted < timing.quickFailure && !entry.isSecondTry && isUsable
    if isRetried {
      entry.isSecondTry = true
      entry.presence = .heard(now)
      entry.notBefore = nil
    } else {
      if wasUp { entry.backOff.connectionHeld(for: lasted) }
      entry.isSecondTry = false
      entry.presence = .unheard
      let isHealthy = wasUp && entry.backOff.failures == 0 && lasted >= entry.backOff.healthyAfter
      entry.notBefore = isHealthy ? nil : now.advanced(by: entry.backOff.pauseAfterFailure(random: random))
    }
    entries[board] = entry
    return isRetried
  }

  /// The attempt or the connection ended as we wanted.
  mutating func left(_ board: Board) {
    if connecting == board { connecting = nil }
    entries[board]?.presence = .unheard
    entries[board]?.isSecondTry = false
  }

  mutating func scanChanged(to scan: Scan) {
    self.scan = scan
    if scan == .on {
      scanBackOff.reset()
      scanNotBefore = nil
    }
  }

  mutating func scanFailed(at now: MonotonicTime, random: Double) {
    scan = .off
    scanNotBefore = now.advanced(by: scanBackOff.pauseAfterFailure(random: random))
  }

  /// The adapter comes or goes; when it goes, all that was under way is over.
  mutating func setUsable(_ isUsable: Bool) {
    self.isUsable = isUsable
    scan = .off
    scanNotBefore = nil
    connecting = nil
    deafSince = nil
    restingSince = nil
    isMakingUp = false
    scanningSince = nil
    for board in entries.keys {
      entries[board]?.presence = .unheard
      entries[board]?.isSecondTry = false
      entries[board]?.notBefore = nil
    }
  }

  // MARK: What to do

  /// The next step at `now`, taken as begun; nil when there is nothing to do until something happens or
  /// ``wakeUp(after:)``.
  mutating func next(at now: MonotonicTime) -> Action? {
    guard isUsable, connecting == nil else { return nil }
    noteListening(at: now)
    if !isMakingUp, let board = candidate(at: now) {
      switch scan {
      case .off:
        attempts += 1
        connecting = board
        entries[board]?.presence = .connecting
        entries[board]?.lastAttempt = attempts
        return .connect(board)
      case .on:
        deafSince = now
        restingSince = now
        scan = .stopping
        return .stopScanning
      case .starting, .stopping: return nil
      }
    }
    let isNeeded = needsScan(at: now)
    if isNeeded, scan == .off, scanNotBefore.map({ $0 <= now }) ?? true {
      scan = .starting
      return .startScanning
    }
    if !isNeeded, scan == .on {
      restingSince = now
      scan = .stopping
      return .stopScanning
    }
    return nil
  }

  /// When ``next(at:)`` may have something to do although nothing happened.
  func wakeUp(after now: MonotonicTime) -> MonotonicTime? {
    guard isUsable, connecting == nil else { return nil }
    let pauses = entries.values.compactMap { entry in
      entry.isWanted ? entry.notBefore : nil
    }
    let lives = entries.values.compactMap { entry -> MonotonicTime? in
      guard entry.isWanted, case .heard(let time) = entry.presence else { return nil }
      return time.advanced(by: timing.advertisementLife + .milliseconds(1))
    }
    let isListening = isMakingUp || listening == .inSessions
    let heard = isListening ? scanningSince?.advanced(by: timing.listening) : nil
    let rested = listening == .inSessions ? restingSince?.advanced(by: timing.rest) : nil
    return (pauses + lives + [scanNotBefore, heard, rested].compactMap(\.self)).filter { $0 > now }.min()
  }

  /// Whoever listens has been deaf for long enough, or has listened for long enough.
  private mutating func noteListening(at now: MonotonicTime) {
    if scan == .on {
      deafSince = nil
      let since = scanningSince ?? now
      scanningSince = since
      if since.duration(to: now) >= timing.listening { isMakingUp = false }
    } else {
      scanningSince = nil
      if listening != .none, scan == .off, let deafSince, deafSince.duration(to: now) >= timing.deafness {
        isMakingUp = true
      }
    }
    if listening == .none { isMakingUp = false }
  }

  private func candidate(at now: MonotonicTime) -> Board? {
    let ready = entries.filter { _, entry in
      guard entry.isWanted, case .heard(let time) = entry.presence else { return false }
      return time.duration(to: now) <= timing.advertisementLife && (entry.notBefore.map { $0 <= now } ?? true)
    }
    return ready.min { left, right in
      if left.value.isSecondTry != right.value.isSecondTry { return left.value.isSecondTry }
      return (left.value.lastAttempt, left.key) < (right.value.lastAttempt, right.key)
    }?.key
  }

  private func needsScan(at now: MonotonicTime) -> Bool {
    switch listening {
    case .none: break
    case .always: return true
    case .inSessions: if isInSession(at: now) { return true }
    }
    return entries.values.contains { entry in
      guard entry.isWanted, entry.notBefore.map({ $0 <= now }) ?? true else { return false }
      switch entry.presence {
      case .unheard: return true
      case .heard(let time): return time.duration(to: now) > timing.advertisementLife
      case .connecting, .linked: return false
      }
    }
  }

  /// Whether it is time to listen for strengths, or not yet over.
  private func isInSession(at now: MonotonicTime) -> Bool {
    if let scanningSince { return scanningSince.duration(to: now) < timing.listening }
    return isMakingUp || restingSince.map { $0.duration(to: now) >= timing.rest } ?? true
  }
}
