import Glibc
import Synchronization

/// Occupies all threads of the runtime's pool until released, for 10 s at most.
final class BusyPool: Sendable {
  private let isReleased = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let hasGivenUp = Atomic<Bool>(false)

  init() {
    let threads = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    for _ in 0..<threads * 4 {
      Task.detached { [self] in
        running.add(1, ordering: .relaxed)
        for _ in 0..<10_000 where !isOver { usleep(1_000) }
        if !isOver { hasGivenUp.store(true, ordering: .relaxed) }
      }
    }
    while running.load(ordering: .relaxed) < threads { usleep(1_000) }
  }

  private var isOver: Bool { isReleased.load(ordering: .relaxed) || hasGivenUp.load(ordering: .relaxed) }

  /// - Returns: whether the pool was busy all the time.
  func release() -> Bool {
    isReleased.store(true, ordering: .relaxed)
    return !hasGivenUp.load(ordering: .relaxed)
  }
}
