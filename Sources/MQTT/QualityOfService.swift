/// How hard a message is delivered.
public enum QualityOfService: UInt8, Comparable, Sendable {
  /// Sent once, never acknowledged.
  case atMostOnce = 0
  /// Sent until acknowledged; may arrive twice.
  case atLeastOnce = 1
  /// Acknowledged in two steps; arrives once.
  case exactlyOnce = 2

  public static func < (left: QualityOfService, right: QualityOfService) -> Bool {
    left.rawValue < right.rawValue
  }
}
