import DeviceModel
import EventLoop
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Bridge

/// A disk that takes what it is given when it is told to.
private final class SlowDisk: Sendable {
  let given = Inbox<String>("given to the disk")
  let answered = Inbox<String>("answered by the disk")
  private let answers = Mutex<[String?]>([])
  private let pipe: (reading: Int32, writing: Int32)

  init() throws {
    let pipe = try PipeEnds()
    self.pipe = (pipe.reading, pipe.writing)
    // Whoever writes waits here, for as long as it takes.
    _ = fcntl(pipe.reading, F_SETFL, 0)
  }

  deinit {
    close(pipe.reading)
    close(pipe.writing)
  }

  func write(_ bytes: [UInt8]) -> String? {
    given.append(String(decoding: bytes, as: UTF8.self))
    var byte: UInt8 = 0
    _ = read(pipe.reading, &byte, 1)
    let answer = answers.withLock { $0.removeFirst() }
    answered.append(answer ?? "taken")
    return answer
  }

  /// One content more is taken, or refused with these words.
  func answer(_ words: String? = nil) {
    answers.withLock { $0.append(words) }
    _ = Glibc.write(pipe.writing, "x", 1)
  }
}

struct `A file on a slow disk` {
  private let disk: SlowDisk
  private let log = Inbox<String>("the log")
  private let told = Inbox<String>("what is settled")

  init() throws {
    #expect(LoopThread.started)
    disk = try SlowDisk()
  }

  @Loop private func makeFile() -> KeptFile {
    let log = Log { [log] level, text in log.append("\(level.rawValue): \(text)") }
    return KeptFile(StateFile(path: "/never/x.json"), cost: "all is lost", log: log) { [disk] in
      disk.write($0)
    }
  }

  @Test @Loop func `keeps nobody waiting but who wants to know`() async throws {
    let file = makeFile()
    file.keep(Array("1".utf8))
    file.whenSettled { [told] in told.append("1") }
    _ = try await disk.given.first(within: .patience) { $0 == "1" }
    // The loop goes on while the disk is at it.
    try await Loop.sleep(for: .milliseconds(1))
    #expect(told.all.isEmpty)
    disk.answer()
    _ = try await told.first(within: .patience) { $0 == "1" }
    file.whenSettled { [told] in told.append("at once") }
    _ = try await told.first(within: .patience) { $0 == "at once" }
    #expect(disk.given.all == ["1"])
  }

  @Test @Loop func `gets the newest of what came meanwhile, and whoever waits is told in order`() async throws
  {
    let file = makeFile()
    for text in ["1", "2", "3", "3"] {
      file.keep(Array(text.utf8))
      file.whenSettled { [told] in told.append(text) }
    }
    disk.answer()
    _ = try await disk.given.first(within: .patience) { $0 == "3" }
    #expect(told.all == ["1"])
    disk.answer()
    _ = try await told.first(within: .patience) { $0 == "3" }
    await file.settle(by: .now)
    #expect(told.all == ["1", "2", "3", "3"] && disk.given.all == ["1", "3"])
    #expect(log.all.isEmpty)
  }

  @Test @Loop func `that refuses is warned of once, and gets the next content at once`() async throws {
    let file = makeFile()
    file.keep(Array("1".utf8))
    file.whenSettled { [told] in told.append("1") }
    disk.answer("it is full")
    _ = try await told.first(within: .patience) { $0 == "1" }
    #expect(log.all == ["warning: cannot write /never/x.json: it is full; all is lost"])
    file.keep(Array("1".utf8))
    disk.answer("it is full")
    _ = try await disk.given.first(from: 1, within: .patience)
    file.keep(Array("2".utf8))
    file.whenSettled { [told] in told.append("2") }
    disk.answer()
    _ = try await told.first(within: .patience) { $0 == "2" }
    #expect(disk.given.all == ["1", "1", "2"] && log.all.count == 1)
  }

  @Test @Loop func `that has refused is waited for at the end while it is tried again`() async throws {
    let file = makeFile()
    file.keep(Array("1".utf8))
    disk.answer("it is full")
    try await log.first { $0.hasPrefix("warning") }
    file.keep(Array("1".utf8))
    disk.answer()
    await file.settle(by: MonotonicTime.now.advanced(by: .patience))
    #expect(disk.answered.all == ["it is full", "taken"] && log.all.count == 1)
  }

  @Test @Loop func `that never answers lets a bounded number wait, and is not waited for at the end`()
    async throws
  {
    let file = makeFile()
    file.keep(Array("1".utf8))
    for _ in 0..<KeptFile.mostWaiting {
      #expect(!file.isJammed)
      file.whenSettled {}
    }
    #expect(file.isJammed)
    file.whenSettled { [told] in told.append("one too many") }
    await file.settle(by: .now)
    #expect(log.all == ["error: /never/x.json is not written: the disk does not answer; all is lost"])
    disk.answer()
    await file.settle(by: MonotonicTime.now.advanced(by: .patience))
    #expect(told.all.isEmpty && !file.isJammed)
  }
}
