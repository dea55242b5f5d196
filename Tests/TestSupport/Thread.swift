import CLinux
import Glibc
import Synchronization

/// Threads for what blocks, so that no test holds one of the runtime's few.
enum Thread {
  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    if pthread_create(&thread, nil, runBody, context) == 0 { pthread_detach(thread) }
  }

  fileprivate final class Body: Sendable {
    let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Thread.Body>.fromOpaque(context).takeRetainedValue().call() }
  return nil
}

/// A thing that happened, once, on whichever thread.
final class Signalled: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Both ends of a pipe, closed in a program that is started.
struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}
