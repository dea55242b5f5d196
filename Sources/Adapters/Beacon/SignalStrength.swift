import Glibc

/// The strength at which one beacon is received, smoothed by a Kalman filter: one reading swings by 10 dB.
///
/// The more often the beacon is heard, the less a single reading counts; after a silence the next counts for much.
struct SignalStrength: Hashable, Sendable {
  private(set) var dBm: Double
  /// dB².
  private var variance: Double
  private var heardAt: Duration

  /// Of one reading, dB²: people and furniture between, and the three channels on which a beacon speaks.
  private static let noise = 30.0
  /// By which a beacon may have moved, dB² a second.
  private static let drift = 1.0

  init(_ reading: Int, at now: Duration) {
    dBm = Double(reading)
    variance = Self.noise
    heardAt = now
  }

  mutating func read(_ reading: Int, at now: Duration) {
    let elapsed = max(.zero, now - heardAt) / .seconds(1)
    heardAt = now
    variance += Self.drift * elapsed
    let gain = variance / (variance + Self.noise)
    dBm += gain * (Double(reading) - dBm)
    variance *= 1 - gain
  }

  /// The distance in metres by the log-distance law.
  ///
  /// - Parameters:
  ///   - powerDBm: Received at 1 m.
  ///   - exponent: 2 in free space and in most rooms, up to 4 through walls.
  func metres(powerDBm: Int, exponent: Double) -> Double {
    pow(10, (Double(powerDBm) - dBm) / (10 * exponent))
  }
}
