public import Foundation

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
    let output = scratch.appending(path: "output")
    let errors = scratch.appending(path: "errors")
    for file in [output, errors] { try Data().write(to: file) }

    let process = Process()
    let isPath = path.contains("/")
    process.executableURL = URL(filePath: isPath ? path : "/usr/bin/env")
    process.arguments = isPath ? arguments : [path] + arguments
    process.currentDirectoryURL = directory ?? packageRoot
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let ended = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in ended.continuation.finish() }
    try process.run()
    let identifier = process.processIdentifier
    let guardian = Task {
      try await Task.sleep(for: deadline)
      kill(identifier, SIGKILL)
    }
    for await _ in ended.stream {}
    guardian.cancel()

    return ProgramResult(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}
