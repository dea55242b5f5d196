public import EventLoop

/// The programs that run for links, so that none is left behind at the end.
@Loop public final class RunningCaptures {
  private var processes: [CaptureProcess] = []

  public init() {}

  func add(_ process: CaptureProcess) {
    processes.append(process)
    process.whenEnded { [weak self, weak process] in self?.processes.removeAll { $0 === process } }
  }

  /// Ends all and returns when they have ended.
  public func stop() async {
    for process in processes { process.stop() }
    for process in processes {
      await Loop.suspend { (ended: CheckedContinuation<Void, Never>) in
        process.whenEnded { ended.resume() }
      }
    }
  }
}
