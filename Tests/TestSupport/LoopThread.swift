import EventLoop
import Glibc

/// The loop on a thread of its own, started by the first test that needs it and shared by all test targets:
/// they run in one process, and a process has one loop.
///
/// A suite starts it in its `init`. Single tests are isolated (`@Test @Loop func`), never the suite as a whole: its
/// tests would be looked up on a loop that does not run yet, and nothing would ever start.
public enum LoopThread {
  public static let started: Bool = {
    var thread = pthread_t()
    return pthread_create(
      &thread, nil,
      { _ in
        Loop.run(); return nil
      }, nil) == 0
  }()
}
