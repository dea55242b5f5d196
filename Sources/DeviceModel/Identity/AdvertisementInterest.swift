/// Which advertisements one who listens cannot do without.
public enum AdvertisementInterest: Hashable, Sendable {
  case all
  /// Those in which any of these is found, and those from the same address that have service data and none of them.
  case matching(Set<AdvertisementPattern>)

  public static let nothing = AdvertisementInterest.matching([])

  public func union(_ other: AdvertisementInterest) -> AdvertisementInterest {
    switch (self, other) {
    case (.matching(let patterns), .matching(let others)): .matching(patterns.union(others))
    default: .all
    }
  }
}
