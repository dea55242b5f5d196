public import DeviceModel
import EventLoop

/// When a link is connected and left: held, polled or on demand, with pauses after failures.
///
/// Pure: each method takes the time and returns what is to be done. One timer is enough; setting it replaces it.
public struct SessionMachine: Sendable {
  public enum Action: Hashable, Sendable {
    case connect
    case disconnect
    case setTimer(Duration)
    case cancelTimer
    /// Give the commands that wait to the adapter.
    case deliver
    /// The commands that wait have failed.
    case refuse(LinkFailure)
    /// The board is to be shown as away.
    case unavailable(LinkFailure)
  }

  public enum Phase: Hashable, Sendable {
    case stopped, waiting, connecting, up
  }

  public private(set) var phase = Phase.stopped
  /// Attempts and sessions that failed in a row.
  public private(set) var failures = 0

  private let session: Session
  private let random: @Sendable () -> Double
  private var backOff = BackOff()
  private var began = Duration.zero
  private var everFinished = false

  /// A polled or on-demand session that its adapter does not finish in this time has failed.
  static let longestSession = Duration.seconds(30)
  /// A board with one connection may just be busy: before it counts as away, one more attempt is made after this.
  static let secondTry = Duration.seconds(1)

  /// - Parameter random: Gives 0 up to 1, for the jitter.
  public init(session: Session, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
    self.session = session
    self.random = random
  }

  public var isHeld: Bool { session == .held }

  /// An on-demand link is connected once at the start as well, to see that the board is there.
  public mutating func start(at now: Duration) -> [Action] {
    guard phase == .stopped else { return [] }
    return connect(at: now)
  }

  public mutating func stop() -> [Action] {
    let isOpen = phase == .connecting || phase == .up
    phase = .stopped
    return isOpen ? [.cancelTimer, .disconnect] : [.cancelTimer]
  }

  /// Commands wait. A held link that is not up refuses them at once; any other gets one attempt.
  public mutating func wanted(at now: Duration, lastFailure: LinkFailure?) -> [Action] {
    switch phase {
    case .up: return [.deliver]
    case .connecting: return isHeld ? [.refuse(lastFailure ?? .unreachable("not connected yet"))] : []
    case .waiting:
      if isHeld { return [.refuse(lastFailure ?? .unreachable("not connected"))] }
      return connect(at: now)
    case .stopped: return [.refuse(.unavailable("the bridge is stopping"))]
    }
  }

  /// The adapter has done what this session was for and wants the next one after `pause`, whatever the kind of
  /// session: no failure.
  public mutating func reconnect(after pause: Duration, at now: Duration) -> [Action] {
    guard phase == .up else { return [] }
    finish()
    return [.disconnect, .setTimer(pause)]
  }

  public mutating func linkUp(at now: Duration) -> [Action] {
    guard phase == .connecting else { return [] }
    phase = .up
    began = now
    if isHeld { failures = 0 }
    return isHeld ? [.deliver] : [.setTimer(Self.longestSession), .deliver]
  }

  /// The attempt failed or the connection ended by itself.
  public mutating func linkDown(_ failure: LinkFailure, at now: Duration) -> [Action] {
    guard phase == .connecting || phase == .up else { return [] }
    return fail(failure, at: now)
  }

  /// The adapter gave the session up.
  public mutating func sessionFailed(_ failure: LinkFailure, at now: Duration) -> [Action] {
    guard phase == .up else { return [] }
    return [.disconnect] + fail(failure, at: now)
  }

  /// The adapter has read and done all that this session was for.
  public mutating func sessionFinished(at now: Duration) -> [Action] {
    guard phase == .up, !isHeld else { return [] }
    finish()
    if case .polled(let interval) = session {
      return [.disconnect, .setTimer(max(.zero, began + interval - now))]
    }
    return [.disconnect, .cancelTimer]
  }

  public mutating func timerFired(at now: Duration) -> [Action] {
    switch phase {
    case .waiting: return connect(at: now)
    case .up where !isHeld:
      return sessionFailed(.gaveUp("the session did not end within \(Self.longestSession)"), at: now)
    default: return []
    }
  }

  private mutating func finish() {
    failures = 0
    backOff.reset()
    everFinished = true
    phase = .waiting
  }

  private mutating func connect(at now: Duration) -> [Action] {
    phase = .connecting
    began = now
    return [.cancelTimer, .connect]
  }

  private mutating func fail(_ failure: LinkFailure, at now: Duration) -> [Action] {
    if isHeld, phase == .up { backOff.connectionHeld(for: now - began) }
    phase = .waiting
    failures += 1
    let pause = backOff.pauseAfterFailure(random: random())
    var actions: [Action] = [.refuse(failure)]
    switch session {
    case .held:
      actions += [.unavailable(failure), .setTimer(pause)]
    case .polled(let interval):
      if failures == 1 {
        actions.append(.setTimer(Self.secondTry))
      } else {
        actions += [.unavailable(failure), .setTimer(max(interval, pause))]
      }
    case .onDemand:
      actions.append(.unavailable(failure))
      actions.append(everFinished ? .cancelTimer : .setTimer(pause))
    }
    return actions
  }
}
