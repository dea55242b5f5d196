import EventLoop
import Foundation
import TestSupport
import Testing

@testable import sketch2mqtt

struct ProcessTests {
  init() { _ = LoopThread.started }

  @Test @Loop func `a child's end and its last words are noticed`() async throws {
    let child = try CompanionProcess("/bin/sh", ["-c", "echo out; echo one >&2; echo two >&2"])
    await child.waitForEnd()
    #expect(child.hasEnded && child.lastWords == ["one", "two"])
    await child.stop()
  }

  @Test(.timeLimit(.minutes(1))) @Loop
  func `a signal that comes while it begins to be waited for is not lost`()
    async
  {
    let signals = StopSignals {}
    let waiter = Task { @Loop in await signals.wait() }
    Loop.enqueue { signals.arrive() }
    await waiter.value
    await signals.wait()
  }

  @Test @Loop func `only the last words are kept`() async throws {
    let child = try CompanionProcess("/bin/sh", ["-c", "for i in $(seq 1000); do echo $i >&2; done"])
    await child.waitForEnd()
    #expect(child.lastWords.count == CompanionProcess.keptLines && child.lastWords.last == "1000")
  }

  @Test @Loop func `a child that does not listen is ended all the same`() async throws {
    let child = try CompanionProcess(
      "/bin/sh", ["-c", "trap '' TERM; echo ready >&2; while :; do sleep 1; done"])
    #expect(await eventually { !child.lastWords.isEmpty })
    await child.stop(within: .milliseconds(50))
    #expect(child.hasEnded)
    #expect(kill(child.identifier, 0) == -1 && errno == ESRCH)
  }

  @Test @Loop func `a program that is not there is named`() {
    #expect(Executable.find("surely-no-such-program") == nil)
    #expect(Executable.find("sh")?.hasSuffix("/sh") == true)
    #expect(Executable.find("passwd", in: ["/etc"]) == nil, "a file that nobody may execute")
    #expect(Executable.find("bin", in: ["/usr"]) == nil, "a directory")
  }

  @Test @Loop func `a temporary directory is its owner's and goes with all that is in it`() throws {
    let directory = try #require(ScratchDirectory("test"))
    #expect(directory.write("text", to: "file"))
    try FileManager.default.createDirectory(
      atPath: directory.path + "/a/b", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: directory.path + "/a/b/.c"))
    #expect(try String(contentsOfFile: directory.path + "/file", encoding: .utf8) == "text")
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    directory.remove()
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test @Loop func `a private broker takes connections until it is stopped`() async throws {
    let directory = try #require(ScratchDirectory("test"))
    defer { directory.remove() }
    let broker = try await PrivateBroker.start(in: directory)
    #expect(LoopbackPort.takesConnections(broker.port))
    await broker.stop()
    #expect(!LoopbackPort.takesConnections(broker.port))
    #expect(kill(broker.process.identifier, 0) == -1 && errno == ESRCH)
  }
}
