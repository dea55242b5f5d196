import Glibc
import Synchronization

/// A file descriptor that came in a message or goes out in one: closed exactly once, at the latest with its last
/// reference, unless somebody takes it.
public final class OwnedDescriptor: Sendable, Equatable {
  private let number: Atomic<Int32>

  /// Takes over `descriptor`, which nobody else may close from now on.
  public init(_ descriptor: Int32) { number = Atomic(descriptor) }

  deinit { close() }

  /// The number; −1 once closed or taken.
  public var descriptor: Int32 { number.load(ordering: .relaxed) }

  /// The number, which the caller closes from now on; −1 when closed or taken before.
  public func take() -> Int32 { number.exchange(-1, ordering: .relaxed) }

  public func close() {
    let taken = take()
    if taken >= 0 { _ = Glibc.close(taken) }
  }

  public static func == (left: OwnedDescriptor, right: OwnedDescriptor) -> Bool { left === right }
}
