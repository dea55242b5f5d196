/// The attitudes of a phone, as they come one after the other.
///
/// When another way of driving takes over, a phone that goes on sending must not take it back with its next message:
/// it drives again after it has been held neutral and tilted anew, or after a pause.
struct RoverStream: Hashable, Sendable {
  private(set) var last: PhoneAttitude?
  private var lastAt: Duration?
  private var suspension = Suspension.none

  private enum Suspension: Hashable, Sendable {
    case none
    /// `isTold`: the sender knows that it is not obeyed.
    case untilNeutral(isTold: Bool)
    /// Held neutral since.
    case untilTilted
  }

  enum Verdict: Hashable, Sendable {
    case drive
    case ignore
    /// As ``ignore``, and to be told.
    case refuse
  }

  /// Another way of driving, or a stop, has taken over.
  mutating func suspend() {
    if lastAt != nil { suspension = .untilNeutral(isTold: false) }
  }

  mutating func forget() { self = RoverStream() }

  mutating func take(_ attitude: PhoneAttitude, isNeutral: Bool, pause: Duration, at now: Duration) -> Verdict
  {
    defer {
      last = attitude
      lastAt = now
    }
    if let lastAt, now - lastAt >= pause { suspension = .none }
    switch (suspension, isNeutral) {
    case (.none, _): return .drive
    case (.untilNeutral, true):
      suspension = .untilTilted
      return .ignore
    case (.untilTilted, true): return .ignore
    case (.untilTilted, false):
      suspension = .none
      return .drive
    case (.untilNeutral(let isTold), false):
      suspension = .untilNeutral(isTold: true)
      return isTold ? .ignore : .refuse
    }
  }
}
