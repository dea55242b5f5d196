import DeviceModel
import Testing

@testable import sketch2mqtt

struct LogFormatTests {
  private func line(_ format: LogFormat, _ level: LogLevel, _ text: String) -> String {
    String(decoding: format.line(level, text, time: "2026-11-30 07:33:29.042"), as: UTF8.self)
  }

  @Test(arguments: [(LogLevel.error, 3), (.warning, 4), (.info, 6), (.debug, 7)])
  func `journald gets its priority and no time`(level: LogLevel, priority: Int) {
    #expect(line(.journal, level, "the broker is away") == "<\(priority)>the broker is away\n")
  }

  @Test(arguments: [
    (LogLevel.error, "ERROR  "), (.warning, "WARNING"), (.info, "info   "), (.debug, "debug  "),
  ])
  func `a person gets the time and the level in words`(level: LogLevel, word: String) {
    #expect(line(.plain, level, "Tür offen") == "2026-11-30 07:33:29.042 \(word) Tür offen\n")
  }

  @Test func `what a board sends neither forges a line nor reaches the terminal`() {
    #expect(
      line(.journal, .info, "a\n<3>b\u{1B}[2J\u{9B}\u{2028}\tc\r\0")
        == "<6>a\\u{a}<3>b\\u{1b}[2J\\u{9b}\\u{2028} c\\u{d}\\u{0}\n")
  }

  @Test(arguments: [4085, 4086, 4087, 4088, 4089, 4090, 4091, 4092, 4093, 4094, 4095, 9000])
  func `a long line is cut between two characters`(length: Int) {
    let prefix = String(repeating: "x", count: length)
    for text in [prefix + "üüüü", prefix + "🚪🚪", prefix] {
      let bytes = LogFormat.journal.line(.info, text, time: "")
      #expect(bytes.count <= LogFormat.longestLine)
      let line = String(decoding: bytes, as: UTF8.self)
      #expect(!line.contains("\u{FFFD}") && line.hasSuffix("\n"))
      let whole = "<6>\(text)\n"
      #expect(line == whole || (line.hasSuffix("...\n") && whole.utf8.count > LogFormat.longestLine))
    }
  }
}
