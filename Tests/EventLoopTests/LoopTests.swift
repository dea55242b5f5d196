import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite struct LoopTests {
  init() { #expect(LoopThread.started) }

  @Test func `what many threads hand over runs on the loop, in each thread's order`() async throws {
    let ran = Inbox<(thread: Int, number: Int, isOnLoop: Bool)>("what the loop ran")
    let threads = 8
    let numbers = 500
    await withTaskGroup { group in
      for thread in 0..<threads {
        group.addTask {
          for number in 0..<numbers {
            Loop.enqueue { ran.append((thread, number, Loop.isCurrent)) }
          }
        }
      }
    }
    try await ran.first(from: threads * numbers - 1)
    #expect(!ran.all.contains { !$0.isOnLoop })
    for thread in 0..<threads {
      #expect(ran.all.filter { $0.thread == thread }.map(\.number) == Array(0..<numbers))
    }
  }

  @Test func `another thread is not the loop's`() {
    #expect(!Loop.isCurrent)
  }

  @Loop @Test func `a synchronous function on the loop's thread enters the loop`() {
    nonisolated func synchronous() -> Bool { Loop.assumeIsolated { Loop.isCurrent } }
    #expect(synchronous())
  }

  @Test func `a task on the loop waits without the runtime's threads`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      #expect(LoopThread.started)
      // More than the pool has threads, each taking one for good.
      for _ in 0..<256 { Task.detached { sleep(30) } }
      Task { @Loop in
        try await Loop.sleep(for: .milliseconds(1))
        var timer: LoopTimer?
        let value = await Loop.suspend { continuation in
          timer = LoopTimer(after: .zero) { continuation.resume(returning: 7) }
        }
        timer?.cancel()
        exit(Loop.isCurrent ? Int32(value) : 2)
      }
      sleep(10)
      exit(1)
    }
  }

  @Test func `any other thread that claims to be the loop ends the process`() async {
    await #expect(processExitsWith: .failure) {
      Loop.assumeIsolated {}
    }
  }

  @Test func `a stop ends the run after what was handed over before`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let ran = Atomic<Bool>(false)
      Loop.enqueue {
        ran.store(true, ordering: .relaxed)
        Loop.stop()
      }
      Loop.run()
      exit(ran.load(ordering: .relaxed) && !Loop.isCurrent ? 7 : 1)
    }
  }

  @Test func `a stop from another thread wakes a loop that waits for nothing`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      Task.detached {
        try await Task.sleep(for: .milliseconds(20))
        Loop.stop()
      }
      Loop.run()
      exit(7)
    }
  }

  @Test func `a loop runs again after a stop`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      for _ in 0..<2 {
        Loop.enqueue { Loop.stop() }
        Loop.run()
      }
      exit(7)
    }
  }

  @Test func `a second thread that runs the loop ends the process`() async {
    await #expect(processExitsWith: .failure) {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { _ in
          Loop.run()
          return nil
        }, nil)
      while !(await Task { @Loop in true }.value) {}
      Loop.run()
    }
  }
}
