import CLinux
import EventLoop
import Glibc

/// A program whose standard output is read, in a process group of its own; ended and reaped whatever its owner does.
///
/// It reads an empty standard input. Only the last line of its standard error is kept.
@Loop final class CaptureProcess {
  /// Its standard output, non-blocking; whoever takes it closes it.
  let output: Int32
  private let name: String
  private let identifier: pid_t
  private let errors: Int32
  private var errorWatch: DescriptorWatch?
  private var exitWatch: DescriptorWatch?
  private var askTimer: LoopTimer?
  private var killTimer: LoopTimer?
  private var lastLine = LastLine()
  /// How it ended, with its last line on standard error; nil while it runs.
  private(set) var ending: String?
  private var onEnd: [@Loop () -> Void] = []

  /// Between the two ways to end it.
  static let patience = Duration.seconds(2)
  /// How often it is asked for where the kernel does not tell.
  private static let interval = Duration.milliseconds(20)

  /// - Parameter command: A program, looked up in PATH when there is no `/` in it, and its arguments.
  init(_ command: [String]) throws(LinkFailure) {
    name = command.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
    do throws(SystemCallFailure) {
      (identifier, output, errors) = try Self.start(command)
    } catch {
      throw .unavailable(error.description)
    }
    errorWatch = DescriptorWatch(errors, for: .readable) { _ in self.readErrors() }
    awaitExit()
  }

  /// The process with the reading ends of its output and its errors.
  private static func start(
    _ command: [String]
  ) throws(SystemCallFailure) -> (identifier: pid_t, output: Int32, errors: Int32) {
    let output = try PipeEnds()
    defer { close(output.writing) }
    do throws(SystemCallFailure) {
      let errors = try PipeEnds()
      defer { close(errors.writing) }
      do throws(SystemCallFailure) {
        let identifier = try ChildSpawn.start(command, descriptors: [nil, output.writing, errors.writing])
        return (identifier, output.reading, errors.reading)
      } catch {
        close(errors.reading)
        throw error
      }
    } catch {
      close(output.reading)
      throw error
    }
  }

  /// Asks it and its children to end, and makes them when they have not soon.
  func stop() {
    guard ending == nil, killTimer == nil else { return }
    kill(-identifier, SIGTERM)
    killTimer = LoopTimer(after: Self.patience) { kill(-self.identifier, SIGKILL) }
  }

  /// Calls `body` when it has ended, at once if it has already.
  func whenEnded(_ body: @escaping @Loop () -> Void) {
    if ending == nil { onEnd.append(body) } else { body() }
  }

  // MARK: its end

  private func awaitExit() {
    let descriptor = pidfd_open(identifier, 0)
    guard descriptor >= 0 else { return askSoon() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    exitWatch = DescriptorWatch(descriptor, for: .readable) { _ in
      guard self.reap() else { return }
      self.exitWatch?.cancel()
      close(descriptor)
    }
  }

  private func askSoon() {
    askTimer = LoopTimer(after: Self.interval) {
      if !self.reap() { self.askSoon() }
    }
  }

  private func reap() -> Bool {
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) != 0 else { return false }
    killTimer?.cancel()
    // Children of its own would hold its output open.
    kill(-identifier, SIGKILL)
    readErrors()
    errorWatch?.cancel()
    errorWatch = nil
    close(errors)
    let line = lastLine.text.isEmpty ? "" : ": \(lastLine.text)"
    ending = "\(name) \(Self.words(for: status))\(line)"
    let bodies = onEnd
    onEnd = []
    for body in bodies { body() }
    return true
  }

  private static func words(for status: Int32) -> String {
    let signal = status & 0x7F
    guard signal == 0 else { return "was ended by signal \(signal) (\(String(cString: strsignal(signal))))" }
    return "ended with status \(status >> 8 & 0xFF)"
  }

  private func readErrors() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(errors, &buffer, buffer.count)
    if count > 0 { return lastLine.append(buffer[..<count]) }
    // At its end it would be told in every turn; all else is told again.
    if count == 0 { errorWatch?.cancel() }
  }
}
