/// Whether something that is heard now and then is there: found at once when it is heard, gone after a silence.
///
/// A time in which nothing can be heard is no silence: of a short one, while a board is being connected, all else of
/// the silence counts, as long as it was listened for ``leastListening``.
struct HeldPresence: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// Not heard yet, and not listened for long enough to say that it is not there.
    case unknown
    case present, absent
  }

  enum Change: Hashable, Sendable {
    /// Heard for the first time; where it was before nobody knows.
    case found
    /// Heard, and was away before.
    case returned
    /// Silent for too long, and was there before.
    case left
    /// Silent since listening began: it is not there, and nobody knows since when.
    case missed
  }

  private(set) var state: State
  let silence: Duration
  /// When it was last heard or, if later, listening began; nil while nothing can be heard.
  private var quietSince: Duration?
  /// Since when nothing can be heard for a moment; nil while it can.
  private var deafSince: Duration?
  /// How long nothing could be heard since ``quietSince``.
  private var deafFor = Duration.zero

  /// Of a silence; of one that is shorter, all of it.
  static let leastListening = Duration.seconds(5)

  /// - Parameter state: What was known before a restart.
  init(_ state: State = .unknown, silence: Duration) {
    self.state = state
    self.silence = silence
  }

  /// When ``expire(at:)`` is to be asked; nil while there is nothing to wait for.
  var deadline: Duration? {
    guard state != .absent, deafSince == nil, let quietSince else { return nil }
    return quietSince + max(silence, min(silence, Self.leastListening) + deafFor)
  }

  mutating func listen(at now: Duration) {
    if quietSince == nil { beginSilence(at: now) }
  }

  /// Nothing is heard for a moment, or is again.
  mutating func deafen(_ isDeaf: Bool, at now: Duration) {
    if isDeaf {
      deafSince = deafSince ?? now
    } else if let since = deafSince {
      deafFor += now - since
      deafSince = nil
    }
  }

  /// Nothing can be heard from now on; what was known stays.
  mutating func stopListening() { quietSince = nil }

  /// Nothing can be heard from now on, and what was known is not known any more.
  mutating func forget() {
    state = .unknown
    stopListening()
  }

  mutating func heard(at now: Duration) -> Change? {
    beginSilence(at: now)
    let former = state
    state = .present
    switch former {
    case .unknown: return .found
    case .absent: return .returned
    case .present: return nil
    }
  }

  mutating func expire(at now: Duration) -> Change? {
    guard let deadline, now >= deadline else { return nil }
    let former = state
    state = .absent
    return former == .present ? .left : .missed
  }

  private mutating func beginSilence(at now: Duration) {
    quietSince = now
    deafFor = .zero
    if deafSince != nil { deafSince = now }
  }
}
