import DeviceModel

@testable import sketch2mqtt

extension Subject {
  /// One line, not longer than a pipe takes at once, whole characters, no control characters.
  static let log = Subject("log") { input throws(Violation) in
    let text = String(decoding: input, as: UTF8.self)
    for format in [LogFormat.journal, .plain] {
      for level in LogLevel.allCases {
        let line = format.line(level, text, time: "2026-11-30T07:21:02+01:00")
        try require(line.count <= LogFormat.longestLine && line.last == 0x0A, "a line of \(line.count) bytes")
        guard let shown = String(validating: line.dropLast(), as: UTF8.self) else {
          throw Violation("half a character in the line")
        }
        let isFit = shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        try require(isFit, "a control character in: \(shown)")
      }
    }
  }
}
