/// Lets something happen a number of times at once, and then ever so often.
struct Allowance {
  private let most: Int
  private let interval: Duration
  private var left: Int
  /// When the next one is added; of no meaning while all are there.
  private var next = Duration.zero

  init(atOnce most: Int, oneMoreEvery interval: Duration) {
    self.most = most
    self.interval = interval
    left = most
  }

  /// Takes one; returns how long to wait for it, zero when there was one.
  mutating func take(at now: Duration) -> Duration {
    if takeAtOnce(at: now) { return .zero }
    defer { next += interval }
    return next - now
  }

  /// Takes one if there is one now.
  mutating func takeAtOnce(at now: Duration) -> Bool {
    if left == most { next = now + interval }
    while left < most, next <= now {
      left += 1
      next = left == most ? now + interval : next + interval
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
