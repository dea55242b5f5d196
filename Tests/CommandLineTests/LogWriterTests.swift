import DeviceModel
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import sketch2mqtt

struct LogWriterTests {
  init() { _ = LoopThread.started }

  /// A pipe that nobody reads until asked.
  private final class UnreadPipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(reading)
      close(writing)
    }

    func takeLines() -> [String] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(reading, &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  @Test @Loop func `a reader that sleeps holds nothing up, and learns how much it missed`() throws {
    let pipe = try UnreadPipe()
    let writer = LogWriter(StandardStream(descriptor: pipe.writing))
    let long = String(repeating: "x", count: 1000)
    for _ in 1...500 { writer.write(.info, long) }
    let heard = pipe.takeLines().count
    #expect(heard > 10 && heard < 500)
    writer.write(.info, "awake")
    let lines = pipe.takeLines()
    #expect(lines.count == 2 && lines[1].hasSuffix("info    awake"))
    #expect(lines[0].contains("WARNING \(500 - heard) log lines were lost"))
  }

  @Test @Loop func `a reader that has gone ends nothing`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    signal(SIGPIPE, SIG_IGN)
    LogWriter(StandardStream(descriptor: ends[1])).write(.error, "nobody hears this")
    StandardStream(descriptor: ends[1]).write("nor this")
    close(ends[1])
  }

  @Test func `the local time is written in full and with its zeros`() {
    let text = LocalTime(timespec(tv_sec: 1_700_000_000, tv_nsec: 7_000_000)).description
    #expect(text.wholeMatch(of: /2023-11-1[45] \d\d:\d\d:\d\d\.007/) != nil)
  }
}
