public import DeviceModel

/// Which advertisements one who listens cannot do without.
public enum AdvertisementInterest: Hashable, Sendable {
  case all
  /// Those in which any of these is found.
  case matching(Set<AdvertisementPattern>)
}
