public import Foundation
import Glibc

/// What a program said and how it ended.
public struct ProgramResult: Sendable {
  /// The exit status; minus the signal's number when a signal ended it.
  public let status: Int32
  public let output: String
  public let errors: String
}

/// Programs as a person runs them: started with arguments, awaited to the end.
public enum Program {
  /// The top of the checkout that these tests were built from.
  public static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The program itself, built beside these tests.
  public static let sketch2mqtt = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "sketch2mqtt").path

  /// Runs `path` (a name without a slash is looked up in PATH) and awaits its end.
  ///
  /// What it prints goes through files, so that no other child's copy of a pipe can delay the end. After `deadline`
  /// the program is killed, which shows in the status.
  public static func run(
    _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: URL? = nil,
    deadline: Duration = .seconds(60)
  ) async throws -> ProgramResult {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let files = ["output", "errors"].map { scratch.appending(path: $0) }
    let descriptors = files.map { open($0.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    defer { for descriptor in descriptors { close(descriptor) } }
    let pid = try Spawn.start(
      ["/usr/bin/env", "-C", (directory ?? packageRoot).path, path] + arguments, environment: environment,
      output: descriptors[0], errors: descriptors[1])
    let hasExited = Signalled()
    let guardian = Task {
      try await Task.sleep(for: deadline)
      if !hasExited.isSet { kill(pid, SIGKILL) }
    }
    let status = await withCheckedContinuation { continuation in
      Thread.run {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        hasExited.set()
        continuation.resume(returning: ExitStatus(status))
      }
    }
    guardian.cancel()

    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    let number: Int32 =
      switch status {
      case .code(let code): code
      case .signal(let signal): -signal
      }
    return ProgramResult(status: number, output: texts[0], errors: texts[1])
  }
}
