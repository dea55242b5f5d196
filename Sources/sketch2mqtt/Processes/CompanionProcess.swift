import EventLoop
import Glibc

/// A program of the machine, started beside this one and ended with it.
///
/// Its standard error comes here; the end of that is how its own end is noticed. It is in a process group of its own,
/// so that Ctrl-C reaches this program alone, which then stops it in good order. Should this program die, the kernel
/// ends it (`setpriv --pdeathsig`, where there is one).
@Loop final class CompanionProcess {
  /// Lines of its standard error that are kept.
  static let keptLines = 20

  let identifier: pid_t
  /// The last lines it wrote to its standard error.
  private(set) var lastWords: [String] = []
  private(set) var hasEnded = false
  private var watch: DescriptorWatch?
  private var unfinishedLine: [UInt8] = []
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var onEnd: (@Loop () -> Void)?

  /// Starts `path`, which gets no environment but PATH and reads an empty standard input.
  init(_ path: String, _ arguments: [String]) throws(SystemCallFailure) {
    var line = [path] + arguments
    if let binder = Executable.find("setpriv") { line = [binder, "--pdeathsig", "TERM", "--"] + line }
    let pipe = try PipeEnds()
    defer { close(pipe.writing) }
    let descriptor = pipe.reading
    do throws(SystemCallFailure) {
      let path = "PATH=\(Executable.searchPath.joined(separator: ":"))"
      identifier = try ChildSpawn.start(line, environment: [path], descriptors: [nil, nil, pipe.writing])
    } catch {
      close(descriptor)
      throw error
    }
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.read(descriptor) }
  }

  /// Returns when the process has ended.
  func waitForEnd() async {
    await Loop.suspend { if hasEnded { $0.resume() } else { waiters.append($0) } }
  }

  /// Calls `body` when the process has ended, at once if it has already; nil takes that back.
  func whenEnded(_ body: (@Loop () -> Void)?) {
    if hasEnded { body?() } else { onEnd = body }
  }

  /// Ends it without a word, and waits for nothing.
  func kill() {
    if !hasEnded { Glibc.kill(identifier, SIGKILL) }
  }

  /// Asks it to end, and makes it end when it has not after `patience`.
  func stop(within patience: Duration = .seconds(3)) async {
    if hasEnded { return }
    Glibc.kill(identifier, SIGTERM)
    let timer = LoopTimer(after: patience) { self.kill() }
    await waitForEnd()
    timer.cancel()
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { return take(buffer[..<count]) }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    watch?.cancel()
    watch = nil
    close(descriptor)
    reap()
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") || unfinishedLine.count == 1000 else {
        unfinishedLine.append(byte)
        continue
      }
      lastWords.append(String(decoding: unfinishedLine, as: UTF8.self))
      unfinishedLine = []
    }
    lastWords.removeFirst(max(0, lastWords.count - Self.keptLines))
  }

  /// The end of its standard error comes a moment before the process can be reaped.
  private func reap() {
    var status: Int32 = 0
    if waitpid(identifier, &status, WNOHANG) == 0 {
      _ = LoopTimer(after: .milliseconds(2)) { self.reap() }
      return
    }
    hasEnded = true
    for waiter in waiters { waiter.resume() }
    waiters = []
    onEnd?()
    onEnd = nil
  }
}
