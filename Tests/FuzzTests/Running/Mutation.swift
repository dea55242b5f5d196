/// Inputs made of kept ones: a few changes each, now and then noise only.
struct Mutation {
  private let corpus: [[UInt8]]
  private var random: SplitMix

  /// In bytes; enough for more than any decoder holds back.
  static let longest = 12_000
  private static let telling: [UInt8] = [
    0, 1, 0x0A, 0x0D, 0x20, 0x22, 0x2F, 0x5B, 0x7B, 0x7F, 0x80, 0xCC, 0xFF,
  ]

  init(of corpus: [[UInt8]], seed: UInt64) {
    self.corpus = corpus
    random = SplitMix(seed: seed)
  }

  mutating func next() -> [UInt8] {
    var bytes = Int.random(in: 0..<16, using: &random) == 0 ? noise(64) : pick()
    for _ in 0..<Int.random(in: 1...6, using: &random) { change(&bytes) }
    return Array(bytes.prefix(Self.longest))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let range = part(of: bytes)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: bytes.removeSubrange(range)
    case 1: bytes.removeSubrange(range.lowerBound...)
    case 2: bytes.insert(contentsOf: bytes[range], at: range.lowerBound)
    case 3:
      let other = pick()
      bytes.replaceSubrange(range, with: other[part(of: other)])
    case 4:
      let other = pick()
      bytes.insert(contentsOf: other[part(of: other)], at: range.lowerBound)
    case 5: bytes.insert(contentsOf: noise(8), at: range.lowerBound)
    case 6:
      let times = Int.random(in: 1...400, using: &random)
      let repeated = Array(bytes[range].prefix(8))
      for _ in 0..<times { bytes.insert(contentsOf: repeated, at: range.lowerBound) }
    case 7:
      guard !range.isEmpty else { break }
      bytes[range.lowerBound] = Self.telling.randomElement(using: &random) ?? 0
    default:
      guard !range.isEmpty else { break }
      bytes[range.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  private mutating func pick() -> [UInt8] { corpus.randomElement(using: &random) ?? [] }

  private mutating func noise(_ most: Int) -> [UInt8] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random)
    }
  }

  private mutating func part(of bytes: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0...bytes.count, using: &random)
    return start..<Int.random(in: start...min(bytes.count, start + 64), using: &random)
  }
}
