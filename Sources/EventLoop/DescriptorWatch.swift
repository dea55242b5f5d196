import CLinux
import Glibc

/// What a descriptor is watched for, and what it turned out to be ready for.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer went away or the descriptor failed: reported whether asked for or not.
  public static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// A descriptor in the loop, until cancelled.
///
/// Level-triggered: the handler is called in every turn in which the descriptor is ready. The watch does not own
/// the descriptor; cancel it before closing that, so that a reused number never reaches an old handler.
@Loop public final class DescriptorWatch {
  public let descriptor: Int32
  private var handler: (@Loop (Readiness) -> Void)?
  private var data: UInt64 = 0

  /// What the descriptor is watched for; empty pauses it (``Readiness/hungUp`` is still delivered).
  public var interest: Readiness {
    didSet {
      guard handler != nil, interest != oldValue else { return }
      Loop.executor.control(EPOLL_CTL_MOD, descriptor, events: interest.rawValue, data: data)
    }
  }

  /// Watches `descriptor`, which must be open and pollable and in no other watch.
  public init(_ descriptor: Int32, for interest: Readiness, handler: @escaping @Loop (Readiness) -> Void) {
    self.descriptor = descriptor
    self.interest = interest
    self.handler = handler
    data = LoopState.shared.add(self)
    Loop.executor.control(EPOLL_CTL_ADD, descriptor, events: interest.rawValue, data: data)
  }

  /// No handler is called after this returns, even for what was ready in the same turn. Safe to repeat.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    Loop.executor.control(EPOLL_CTL_DEL, descriptor, events: 0, data: data)
    LoopState.shared.remove(data)
  }

  func deliver(_ events: UInt32) {
    var readiness = Readiness(rawValue: events)
    // Either bit alone is a hang-up, but an option set contains a pair only when it has both.
    if !readiness.isDisjoint(with: .hungUp) { readiness.formUnion(.hungUp) }
    handler?(readiness)
  }
}
