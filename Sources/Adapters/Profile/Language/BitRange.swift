/// Bits of a number as they are written: `3`, or `4-6`.
enum BitRange {
  static func parse(_ text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      guard (1...2).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      return Int(part)
    }
    guard numbers.count == parts.count, (1...2).contains(parts.count), let first = numbers.first,
      let last = numbers.last,
      first <= last, last < 32
    else { return nil }
    return first...last
  }
}
