/// Lets one of many alike through each interval, and counts the others.
struct RareEvent {
  private let interval: Duration
  private var last: Duration?
  private var suppressed = 0
  private(set) var suppressedText = ""

  init(every interval: Duration) { self.interval = interval }

  /// True when this one is to be told.
  mutating func happens(at now: Duration) -> Bool {
    if let last, now - last < interval {
      suppressed += 1
      return false
    }
    suppressedText = suppressed > 0 ? " (and \(suppressed) more times)" : ""
    last = now
    suppressed = 0
    return true
  }
}
