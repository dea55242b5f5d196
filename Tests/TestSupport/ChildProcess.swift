import CLinux
import Glibc
import Synchronization

/// A program started by a test. Killed, at the latest, with its last reference.
public final class ChildProcess: Sendable {
  public let pid: Int32
  /// The lines of its standard output and its standard error.
  public let output: Inbox<String>
  public let errors: Inbox<String>
  private let exits: Inbox<ExitStatus>
  private let hasExited: Signalled
  /// One start at a time, so that no child inherits another's pipe.
  private static let starting = Mutex(())

  /// - Parameter environment: replaces that of the test when given.
  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil
  ) throws {
    let name = executable.split(separator: "/").last.map(String.init) ?? executable
    output = Inbox("the output of \(name)")
    errors = Inbox("the errors of \(name)")
    exits = Inbox("the exit of \(name)")
    hasExited = Signalled()
    let (pid, outputPipe, errorPipe) = try Self.starting.withLock { _ in
      let (output, errors) = (try Pipe(), try Pipe())
      defer { for pipe in [output, errors] { close(pipe.writing) } }
      return (
        try Spawn.start(
          [executable] + arguments, environment: environment, output: output.writing, errors: errors.writing),
        output, errors
      )
    }
    self.pid = pid
    let (exits, hasExited) = (exits, hasExited)
    Thread.run { [output] in Self.readLines(of: outputPipe.reading, into: output) }
    Thread.run { [errors] in Self.readLines(of: errorPipe.reading, into: errors) }
    Thread.run {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      hasExited.set()
      exits.append(ExitStatus(status))
    }
  }

  deinit { send(SIGKILL) }

  /// Sends a signal unless the process is gone already.
  public func send(_ signal: Int32) {
    if !hasExited.isSet { kill(pid, signal) }
  }

  public func exit(within limit: Duration = .seconds(60)) async throws -> ExitStatus {
    try await exits.first(within: limit)
  }

  /// Asks it to end and waits until it has.
  @discardableResult
  public func terminate(within limit: Duration = .seconds(60)) async throws -> ExitStatus {
    send(SIGTERM)
    return try await exit(within: limit)
  }

  /// Ends it as a power cut does.
  public func kill9() async throws {
    send(SIGKILL)
    _ = try await exit()
  }

  public var isRunning: Bool { !hasExited.isSet }

  /// What the process holds in memory now; `nil` when it is gone.
  public var residentKilobytes: Int? { Self.residentKilobytes(of: "\(pid)") }

  /// The same of the calling process.
  public static var ownResidentKilobytes: Int? { residentKilobytes(of: "self") }

  /// The path of one of the package's programs: it lies beside the test bundle.
  public static func built(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
  }

  /// Runs a program to its end; throws when it fails.
  @discardableResult
  public static func run(_ executable: String, _ arguments: [String]) async throws -> [String] {
    let child = try ChildProcess(executable, arguments)
    let status = try await child.exit(within: .seconds(60))
    guard status == .code(0) else {
      throw ProgramFailed(command: [executable] + arguments, status: status, errors: child.errors.all)
    }
    return child.output.all
  }

  private static func residentKilobytes(of process: String) -> Int? {
    guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(whereSeparator: { $0 == " " || $0 == "\t" })
      if words.first == "VmRSS:", words.count > 1 { return Int(words[1]) }
    }
    return nil
  }

  private static func readLines(of descriptor: Int32, into inbox: Inbox<String>) {
    defer { close(descriptor) }
    guard let file = fdopen(dup(descriptor), "r") else { return }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while true {
      let length = getline(&line, &capacity, file)
      guard length >= 0, let line else { return }
      let bytes = UnsafeRawBufferPointer(start: line, count: length)
      inbox.append(String(decoding: bytes.last == 10 ? bytes.dropLast() : bytes[...], as: UTF8.self))
    }
  }
}

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
  case code(Int32)
  case signal(Int32)

  init(_ status: Int32) {
    self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }
}

public struct ProgramFailed: Error, CustomStringConvertible {
  public let command: [String]
  public let status: ExitStatus
  public let errors: [String]

  public var description: String {
    "\(command.joined(separator: " ")): \(status)\n\(errors.joined(separator: "\n"))"
  }
}
