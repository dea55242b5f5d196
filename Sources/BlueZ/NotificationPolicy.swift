/// Whether a board's notifications are taken by descriptor, or by signals on the bus because the descriptor has
/// proved not to work with it.
struct NotificationPolicy: Hashable {
  private(set) var usesDescriptor = true
  private var suspiciousEnds = 0

  /// Ends in a row after which a descriptor is held for the cause.
  private static let bearableEnds = 1
  private static let youth = Duration.seconds(2)

  /// The descriptor ended, and the connection goes on.
  mutating func endedAlone() { usesDescriptor = false }

  /// The descriptor ended, and the connection with it.
  mutating func endedWithConnection(after age: Duration, hasReceived: Bool) {
    suspiciousEnds = age < Self.youth && !hasReceived ? suspiciousEnds + 1 : 0
    if suspiciousEnds > Self.bearableEnds { usesDescriptor = false }
  }
}
