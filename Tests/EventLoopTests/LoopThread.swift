import EventLoop
import Glibc

/// The loop on a thread of its own, started by the first test that needs it.
enum LoopThread {
  static let started: Bool = {
    var thread = pthread_t()
    return pthread_create(&thread, nil, { _ in Loop.run(); return nil }, nil) == 0
  }()
}
