import DeviceModel

/// Closes a door to guessing: after so many wrong requests in a row nothing is taken for a while.
struct LockOut: Hashable, Sendable {
  private(set) var wrongInARow = 0
  private(set) var until: Timestamp?

  static let most = 5
  static let pause = Duration.seconds(600)

  init() {}

  /// What was known before a restart.
  init(wrongInARow: Int, until: Timestamp?) {
    self.wrongInARow = min(max(0, wrongInARow), Self.most)
    self.until = until
  }

  /// The end of the present lock-out; nil when there is none. One that lies farther off than any may is one of another
  /// clock.
  mutating func end(at now: Timestamp) -> Timestamp? {
    guard let end = until, now < end else {
      until = nil
      return nil
    }
    let farthest = now.advanced(by: Self.pause)
    until = min(end, farthest)
    return until
  }

  /// True when this one was one too many.
  mutating func wrong(at now: Timestamp) -> Bool {
    wrongInARow += 1
    guard wrongInARow >= Self.most else { return false }
    wrongInARow = 0
    until = now.advanced(by: Self.pause)
    return true
  }

  mutating func right() { wrongInARow = 0 }
}
