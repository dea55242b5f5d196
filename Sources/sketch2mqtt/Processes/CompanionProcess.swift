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
  init(_ path: String, _ arguments: [String]) throws(CompanionProcessFailure) {
    var line = [path] + arguments
    if let binder = Executable.find("setpriv") { line = [binder, "--pdeathsig", "TERM", "--"] + line }
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw CompanionProcessFailure(path, errno) }
    for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    defer { close(pipe[1]) }
    do throws(CompanionProcessFailure) {
      identifier = try Self.spawn(line, standardError: pipe[1])
    } catch {
      close(pipe[0])
      throw error
    }
    let descriptor = pipe[0]
    watch = DescriptorWatch(descriptor, for: .readable) { [weak self] _ in self?.read(descriptor) }
  }

  /// Returns when the process has ended.
  func waitForEnd() async {
    if hasEnded { return }
    await Loop.suspend { waiters.append($0) }
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

  private nonisolated static func spawn(
    _ line: [String], standardError: Int32
  ) throws(CompanionProcessFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, standardError, STDERR_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var arguments = line.map { strdup($0) } + [nil]
    var environment = [strdup("PATH=\(Executable.searchPath.joined(separator: ":"))"), nil]
    defer { for text in arguments + environment { free(text) } }
    var identifier = pid_t()
    let result = posix_spawn(&identifier, line[0], &actions, &attributes, &arguments, &environment)
    guard result == 0 else { throw CompanionProcessFailure(line[0], result) }
    return identifier
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

/// A program that could not be started.
struct CompanionProcessFailure: Error, CustomStringConvertible {
  let path: String
  let code: Int32

  init(_ path: String, _ code: Int32) {
    self.path = path
    self.code = code
  }

  var description: String { "\(path): \(String(cString: strerror(code)))" }
}
