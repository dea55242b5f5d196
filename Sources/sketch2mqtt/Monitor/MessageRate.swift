/// How many messages a second came, over the last ten.
struct MessageRate: Equatable {
  static let window = 10

  private var counts = [Int](repeating: 0, count: window)
  /// The second that the newest count belongs to.
  private var second = 0

  /// - Parameter uptime: On a clock that never jumps.
  mutating func count(at uptime: Duration) {
    advance(to: Self.second(of: uptime))
    counts[second % Self.window] += 1
  }

  /// The second that is not over yet does not count.
  func perSecond(at uptime: Duration) -> Double {
    var rate = self
    rate.advance(to: Self.second(of: uptime))
    let past = rate.counts.reduce(0, +) - rate.counts[rate.second % Self.window]
    return Double(past) / Double(Self.window - 1)
  }

  private mutating func advance(to newest: Int) {
    guard newest > second else { return }
    for passed in (second + 1)...newest where passed > newest - Self.window {
      counts[passed % Self.window] = 0
    }
    second = newest
  }

  private static func second(of uptime: Duration) -> Int { Int(max(0, uptime.components.seconds)) }
}

extension MessageRate {
  /// `0.2/s`, or nothing for none.
  func text(at uptime: Duration) -> String {
    let tenths = Int((perSecond(at: uptime) * 10).rounded())
    return tenths == 0 ? "" : tenths < 100 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
  }
}
