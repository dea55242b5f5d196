import Glibc

/// A thread for a call into the system that may block; it hands over what came of it by ``Loop/enqueue(_:)``.
public enum DetachedThread {
  private final class Context: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own, which nobody waits for.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallFailure) {
    let context = Unmanaged.passRetained(Context(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, enter, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw SystemCallFailure("no thread", code: code)
    }
    pthread_detach(thread)
  }

  private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    if let context { Unmanaged<Context>.fromOpaque(context).takeRetainedValue().body() }
    return nil
  }
}
