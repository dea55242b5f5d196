/// A truth about a noisy quantity: true once it exceeds one level, false again only below a lower one.
struct Hysteresis: Hashable, Sendable {
  private let upper: Double
  private let lower: Double
  /// Nil before the first value; between the levels the first value counts as below.
  private(set) var isOn: Bool?

  init(above upper: Double, until lower: Double) {
    self.upper = upper
    self.lower = min(lower, upper)
  }

  /// - Returns: Whether ``isOn`` is another than before.
  mutating func take(_ value: Double) -> Bool {
    let isNew: Bool
    switch isOn {
    case true?: isNew = value >= lower
    default: isNew = value > upper
    }
    defer { isOn = isNew }
    return isOn != isNew
  }
}
