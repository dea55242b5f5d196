/// When an activation switches. All times are seconds since 1970-01-01 UTC, so there is no summer time in them.
///
/// A cycle runs from its start up to, not including, its end. A length of 0 never switches; one that is not shorter
/// than the period stays on from the start for ever.
extension Activation {
  var startSeconds: Int64 { Int64(start) }
  var lengthSeconds: Int64 { 60 * Int64(lengthMinutes) }
  /// 0 for a cycle that happens once.
  var periodSeconds: Int64 { 60 * Int64(periodMinutes) }

  private var staysOn: Bool { periodMinutes > 0 && lengthMinutes >= periodMinutes }

  func isOn(at time: Int64) -> Bool {
    let age = time - startSeconds
    guard age >= 0, lengthMinutes > 0 else { return false }
    if periodMinutes == 0 { return age < lengthSeconds }
    return staysOn || age % periodSeconds < lengthSeconds
  }

  /// The first switching on later than `time`.
  func nextOn(after time: Int64) -> Int64? {
    guard lengthMinutes > 0 else { return nil }
    if time < startSeconds { return startSeconds }
    guard periodMinutes > 0, !staysOn else { return nil }
    return startSeconds + ((time - startSeconds) / periodSeconds + 1) * periodSeconds
  }

  /// The first switching off later than `time`.
  func nextOff(after time: Int64) -> Int64? {
    guard lengthMinutes > 0, !staysOn else { return nil }
    let end = startSeconds + lengthSeconds
    if time < end { return end }
    guard periodMinutes > 0 else { return nil }
    return end + ((time - end) / periodSeconds + 1) * periodSeconds
  }

  /// The cycle that runs at `time` or, if none does, the next: its start. Nil when a single cycle is over.
  func cycle(endingAfter time: Int64) -> Int64? {
    if time < startSeconds + lengthSeconds { return startSeconds }
    guard periodMinutes > 0 else { return nil }
    return startSeconds + ((time - startSeconds - lengthSeconds) / periodSeconds + 1) * periodSeconds
  }

  /// Whether two activations are on at one time, now or later. One that ends when the other begins does not clash.
  func clashes(with other: Activation, after now: Int64) -> Bool {
    guard lengthMinutes > 0, other.lengthMinutes > 0 else { return false }
    if periodMinutes > 0, other.periodMinutes > 0 { return clashesPeriodically(with: other) }
    let (once, second) = periodMinutes == 0 ? (self, other) : (other, self)
    let begin = max(once.startSeconds, now)
    let end = once.startSeconds + once.lengthSeconds
    guard begin < end, let cycle = second.cycle(endingAfter: begin) else { return false }
    return cycle < end
  }

  /// The distances between the cycles of two periodic activations are all that leave one rest when divided by the
  /// greatest common divisor of the periods.
  private func clashesPeriodically(with other: Activation) -> Bool {
    var (divisor, rest) = (periodSeconds, other.periodSeconds)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    let distance = ((other.startSeconds - startSeconds) % divisor + divisor) % divisor
    return distance < lengthSeconds || divisor - distance < other.lengthSeconds
  }
}
