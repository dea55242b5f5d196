import Foundation
import TestSupport
import Testing

@testable import EventLoop

struct ChildSpawnTests {
  private func output(of command: [String], environment: [String] = []) throws -> String {
    let pipe = try PipeEnds()
    defer { close(pipe.reading) }
    let child: pid_t
    do {
      defer { close(pipe.writing) }
      child = try ChildSpawn.start(
        command, environment: environment, descriptors: [nil, pipe.writing, nil, pipe.writing])
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(pipe.reading, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  @Test func `a child has the descriptors that it is given and no others`() throws {
    let secret = open("/dev/null", O_RDONLY)
    defer { close(secret) }
    let listed = try output(of: ["/bin/sh", "-c", "for each in /proc/$$/fd/*; do readlink $each; done; cat"])
    let lines = listed.split(separator: "\n").map(String.init)
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.filter { $0 == "/dev/null" }.count == 2)
    #expect(lines.filter { $0.hasPrefix("pipe:") }.count == 2)
  }

  @Test func `a child has the variables that it is given and leads a group of its own`() throws {
    let text = try output(
      of: ["/bin/sh", "-c", "echo $A; ps -o pgid= -p $$; echo $$"], environment: ["A=b c"])
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count == 3 && lines[0] == "b c" && lines[1] == lines[2], "\(lines)")
  }

  @Test func `what is meant for this process alone is not inherited`() {
    setenv("NOTIFY_SOCKET", "/run/x", 1)
    setenv("LISTEN_FDS", "3", 1)
    setenv("INHERITED_TEXT", "y", 1)
    defer { for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "INHERITED_TEXT"] { unsetenv(name) } }
    let variables = ChildSpawn.inheritedEnvironment
    #expect(variables.contains("INHERITED_TEXT=y"))
    #expect(!variables.contains { $0.hasPrefix("NOTIFY_SOCKET") || $0.hasPrefix("LISTEN_") })
  }

  @Test func `a program that cannot be started is named with the reason`() {
    #expect(throws: SystemCallFailure("cannot start '/no/such'", code: ENOENT)) {
      try ChildSpawn.start(["/no/such"], descriptors: [nil, nil, nil])
    }
    #expect(throws: SystemCallFailure("no program is named", code: EINVAL)) {
      try ChildSpawn.start([], descriptors: [])
    }
    #expect(
      "\(SystemCallFailure("cannot start 'x'", code: EACCES))" == "cannot start 'x': Permission denied")
  }

  @Test @Loop func `what a thread brings is handed to the loop`() async throws {
    #expect(LoopThread.started)
    let isCurrent = await Loop.suspend { (done: CheckedContinuation<Bool, Never>) in
      do {
        try DetachedThread.start {
          let isLoop = Loop.isCurrent
          Loop.enqueue { done.resume(returning: isLoop || !Loop.isCurrent) }
        }
      } catch {
        done.resume(returning: true)
      }
    }
    #expect(!isCurrent)
  }
}
