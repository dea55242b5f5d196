/// The few durations that a code is made of, so that a board keeps four bits for each timing.
struct InfraredPalette: Hashable, Sendable {
  /// Microseconds, ascending.
  let durations: [Int]
  /// For each timing, the place of its duration.
  let places: [Int]

  static let most = 16
  /// What is taken for one duration differs by no more than this from the shortest to the longest.
  private static let spread = 1.35

  /// Takes for one what is closest to each other, until there are few enough; nil when that would take for one what is
  /// not.
  init?(_ timings: [Int]) {
    var groups = Dictionary(grouping: timings, by: \.self).values.map(Group.init)
    groups.sort { $0.shortest < $1.shortest }
    while groups.count > Self.most {
      let gaps = zip(groups, groups.dropFirst()).map { Double($1.longest) / Double($0.shortest) }
      guard let gap = gaps.min(), gap <= Self.spread, let place = gaps.firstIndex(of: gap) else { return nil }
      groups[place].join(groups.remove(at: place + 1))
    }
    durations = groups.map(\.mean)
    places = timings.map { timing in groups.firstIndex { timing <= $0.longest } ?? groups.count - 1 }
  }

  private struct Group {
    var shortest: Int
    var longest: Int
    private var sum: Int
    private var count: Int

    init(_ timings: [Int]) {
      shortest = timings[0]
      longest = timings[0]
      sum = timings.reduce(0, +)
      count = timings.count
    }

    var mean: Int { (sum + count / 2) / count }

    mutating func join(_ other: Group) {
      longest = other.longest
      sum += other.sum
      count += other.count
    }
  }
}
