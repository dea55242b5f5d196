/// Which of several ranges a value is in, without going to and fro at a bound.
///
/// A bound counts as crossed when the value is beyond it by the margin, on either side.
struct Bands: Hashable, Sendable {
  /// Rising, all positive.
  let bounds: [Double]
  /// A share of the bound: 0.1 for a tenth.
  let margin: Double
  /// 0 below the first bound; nil before the first value.
  private(set) var index: Int?

  init(_ bounds: [Double], margin: Double) {
    self.bounds = bounds
    self.margin = margin
  }

  /// Forgets the last value.
  mutating func reset() { index = nil }

  @discardableResult
  mutating func place(_ value: Double) -> Int {
    guard var index else {
      let first = bounds.firstIndex { value < $0 } ?? bounds.count
      index = first
      return first
    }
    while index < bounds.count, value > bounds[index] * (1 + margin) { index += 1 }
    while index > 0, value < bounds[index - 1] * (1 - margin) { index -= 1 }
    self.index = index
    return index
  }
}
