/// A set of characters, as ranges of Unicode scalar values.
struct PatternClass: Sendable, Hashable {
  var ranges: [ClosedRange<UInt32>]
  var isNegated = false

  func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } != isNegated }

  static let digit = PatternClass(ranges: [0x30...0x39])
  static let word = PatternClass(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = PatternClass(ranges: [0x09...0x0D, 0x20...0x20])
  /// All but a line's end.
  static let any = PatternClass(ranges: [0x0A...0x0A], isNegated: true)

  /// The ranges of what is not in it.
  var inverse: [ClosedRange<UInt32>] {
    var rest: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { rest.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    return rest + [next...0x10FFFF]
  }

  /// With the other case of ASCII letters.
  var eitherCase: PatternClass {
    var copy = self
    for range in ranges {
      let upper = range.clamped(to: 0x41...0x5A)
      if range.overlaps(0x41...0x5A) { copy.ranges.append((upper.lowerBound + 32)...(upper.upperBound + 32)) }
      let lower = range.clamped(to: 0x61...0x7A)
      if range.overlaps(0x61...0x7A) { copy.ranges.append((lower.lowerBound - 32)...(lower.upperBound - 32)) }
    }
    return copy
  }
}

extension PatternClass {
  /// The one character, when it is one.
  var single: UInt32? {
    guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
