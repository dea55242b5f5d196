import Glibc
import Synchronization

/// Holds a thread up until another lets it go on.
final class Semaphore: Sendable {
  private let count = Mutex(0)

  func signal() { count.withLock { $0 += 1 } }

  func wait() {
    while !take() { usleep(1000) }
  }

  private func take() -> Bool {
    count.withLock { count in
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }
}
