public import DeviceModel
import EventLoop

/// When a link is connected and left: held, polled or on demand, with pauses after failures.
///
/// Pure: each method takes the time and returns what is to be done. One timer is enough; setting it replaces it.
public struct SessionMachine: Sendable {
  /// What is to be done with the link.
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

  /// How the link stands.
  public enum Phase: Hashable, Sendable {
    case stopped, waiting, connecting, up
  }

  public private(set) var phase = Phase.stopped
  /// Attempts and sessions that failed since one was finished, or a held connection lasted for a minute.
  public var failures: Int { backOff.failures }

  private let session: Session
  /// The link goes on by itself after a failure, as a held ``BLELink`` does.
  private let reconnectsByItself: Bool
  private let random: @Sendable () -> Double
  private var backOff = BackOff()
  /// When the last attempt began; of a held link, when it came up.
  private var began = Duration.zero

  /// A polled or on-demand session that its adapter does not finish in this time has failed.
  static let longestSession = Duration.seconds(30)
  /// A board with one connection may just be busy: before it counts as away, one more attempt is made after this.
  static let secondTry = Duration.seconds(1)
  /// Between two polls the board is free at least this long, for its owner's phone and for what it does only while
  /// nobody is connected.
  static let shortestGap = Duration.seconds(1)

  /// - Parameter random: Gives 0 up to 1, for the jitter.
  public init(
    session: Session, reconnectsByItself: Bool = false,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.session = session
    self.reconnectsByItself = reconnectsByItself
    self.random = random
  }

  public var isHeld: Bool { session == .held }

  /// An on-demand link is connected at the start as well, to see that the board is there. After a failure it is tried
  /// until a session ends well: as long as the board is shown as away, nobody sends the command that would show that
  /// it is back.
  public mutating func start(at now: Duration) -> [Action] {
    guard phase == .stopped else { return [] }
    return connect(at: now)
  }

  public mutating func stop() -> [Action] {
    let former = phase
    phase = .stopped
    backOff.reset()
    switch former {
    case .stopped, .waiting: return [.cancelTimer]
    case .connecting: return [.cancelTimer, .disconnect, .refuse(Self.isStopping)]
    case .up: return [.cancelTimer, .disconnect]
    }
  }

  private static let isStopping = LinkFailure.unavailable("the bridge is stopping")

  /// Commands wait. A held link that is not up refuses them at once; any other gets one attempt.
  public mutating func wanted(at now: Duration, lastFailure: LinkFailure?) -> [Action] {
    switch phase {
    case .up: return [.deliver]
    case .connecting: return isHeld ? [.refuse(lastFailure ?? .unreachable("not connected yet"))] : []
    case .waiting:
      if isHeld { return [.refuse(lastFailure ?? .unreachable("not connected"))] }
      return connect(at: now)
    case .stopped: return [.refuse(Self.isStopping)]
    }
  }

  /// The adapter has done what this session was for and wants the next one after `pause`, whatever the kind of
  /// session: no failure.
  public mutating func reconnect(after pause: Duration, at now: Duration) -> [Action] {
    guard phase == .up else { return [] }
    finish()
    return [.disconnect, .setTimer(pause)]
  }

  /// A held link over a shared radio goes on by itself after a failure, and may be up before it is asked to connect.
  public mutating func linkUp(at now: Duration) -> [Action] {
    guard phase == .connecting || (phase == .waiting && isHeld) else { return [] }
    phase = .up
    guard isHeld else { return [.setTimer(Self.longestSession), .deliver] }
    began = now
    return [.cancelTimer, .deliver]
  }

  /// The attempt failed or the connection ended by itself.
  public mutating func linkDown(_ failure: LinkFailure, at now: Duration) -> [Action] {
    guard phase == .connecting || phase == .up else { return [] }
    if isHeld, reconnectsByItself {
      phase = .connecting
      return [.refuse(failure), .unavailable(failure)]
    }
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
      return [.disconnect, .setTimer(max(Self.shortestGap, began + interval - now))]
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
    backOff.reset()
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
    let pause = backOff.pauseAfterFailure(random: random())
    switch session {
    case .held: return [.refuse(failure), .unavailable(failure), .setTimer(pause)]
    case .polled, .onDemand:
      if failures == 1 { return [.refuse(failure), .setTimer(Self.secondTry)] }
      return [.refuse(failure), .unavailable(failure), .setTimer(max(pause, shortestPause))]
    }
  }

  /// A board that is polled often is not tried more often because it is away, and one that is polled rarely is not
  /// away until the next poll.
  private var shortestPause: Duration {
    if case .polled(let interval) = session { min(interval, backOff.longest) } else { .zero }
  }
}
