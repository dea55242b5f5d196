import CLinux
import Glibc
import Synchronization

/// One thread that waits in epoll and runs, in this order: what other threads handed over, descriptors that
/// are ready, timers that are due, and what asked to run at the end of a turn.
///
/// It is the executor of the global actor ``Loop``. A Dispatch queue in its place costs 40–65 µs for each event
/// in hand-overs between threads, half of the whole path from board to broker.
final class LoopExecutor: SerialExecutor, TaskExecutor {
  private let epoll: Int32
  private let wakeUp: Int32
  private let jobs = Mutex<[UnownedJob]>([])
  private let stopping = Atomic<Bool>(false)
  /// The loop thread's `pthread_t`; 0 while no thread runs the loop.
  private let thread = Atomic<UInt>(0)

  init() {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    precondition(epoll >= 0 && wakeUp >= 0, "no descriptors left to start the event loop")
    control(EPOLL_CTL_ADD, wakeUp, events: EPOLLIN.rawValue, data: Self.wakeUpData)
  }

  /// No watch has this number: watches count from 0 in their lower half and never reach the highest.
  private static let wakeUpData = UInt64.max

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let isFirst = jobs.withLock { queue in
      queue.append(unowned)
      return queue.count == 1
    }
    if isFirst && !isCurrent { wake() }
  }

  func checkIsolated() {
    precondition(isCurrent, "called off the event loop's thread")
  }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Takes the calling thread for the loop until ``stop()``.
  func run() {
    let previous = thread.exchange(UInt(pthread_self()), ordering: .relaxed)
    precondition(previous == 0, "the event loop runs on another thread already")
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while !stopping.load(ordering: .acquiring) {
      runJobs()
      let timeout = Loop.assumeIsolated { LoopState.shared.millisecondsToWait() }
      let hasJobs = jobs.withLock { !$0.isEmpty }
      let wait = hasJobs ? 0 : timeout
      let count = epoll_wait(epoll, &events, Int32(events.count), wait)
      Loop.assumeIsolated { LoopState.shared.awoke(after: wait) }
      if count > 0 { dispatch(events[0..<Int(count)]) }
      runJobs()
      Loop.assumeIsolated { LoopState.shared.finishTurn() }
    }
    stopping.store(false, ordering: .releasing)
    thread.store(0, ordering: .relaxed)
  }

  func stop() {
    stopping.store(true, ordering: .releasing)
    wake()
  }

  func control(_ operation: Int32, _ descriptor: Int32, events: UInt32, data: UInt64) {
    var event = epoll_event()
    event.events = events
    event.data.u64 = data
    let result = epoll_ctl(epoll, operation, descriptor, &event)
    precondition(
      result == 0 || operation == EPOLL_CTL_DEL,
      "epoll_ctl(\(operation), \(descriptor)): errno \(errno)")
  }

  private func runJobs() {
    while true {
      let batch = jobs.withLock { queue in
        let taken = queue
        queue.removeAll(keepingCapacity: true)
        return taken
      }
      if batch.isEmpty { return }
      for job in batch {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }

  private func dispatch(_ events: ArraySlice<epoll_event>) {
    Loop.assumeIsolated {
      for event in events {
        if event.data.u64 == Self.wakeUpData {
          var count: UInt64 = 0
          _ = read(wakeUp, &count, 8)
        } else {
          LoopState.shared.deliver(event.events, to: event.data.u64)
        }
      }
    }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }
}
