import DeviceModel

/// Rows of words in columns, for a terminal of 80 columns or a file.
struct TextTable {
  /// The widest that a column gets; longer words are cut, but in the last one.
  var widths: [Int]
  /// Numbers stand at the right.
  var rightAligned: Set<Int> = []
  private var rows: [[String]] = []

  static let columns = 80

  init(widths: [Int], rightAligned: Set<Int> = []) {
    self.widths = widths
    self.rightAligned = rightAligned
  }

  mutating func add(_ row: [String]) { rows.append(row.map(Self.plain)) }

  /// A line for each row, none longer than ``columns``.
  var lines: [String] {
    let used = widths.indices.map { column in
      min(widths[column], rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0)
    }
    return rows.map { row in
      var line = ""
      for (column, word) in row.enumerated() {
        if column > 0 { line += "  " }
        let room = column == row.count - 1 ? max(0, Self.columns - line.count) : used[column]
        let cut = Self.cut(word, to: room)
        let space = String(repeating: " ", count: max(0, used[column] - cut.count))
        line += rightAligned.contains(column) ? space + cut : cut + space
      }
      return Self.withoutSpaceAtEnd(line)
    }
  }

  static func cut(_ word: String, to room: Int) -> String {
    word.count <= room ? word : String(word.prefix(max(0, room - 1))) + "…"
  }

  /// A name from the air may hold anything.
  static func plain(_ word: String) -> String {
    String(String.UnicodeScalarView(word.unicodeScalars.map { $0.isFormatting ? "." : $0 }))
  }

  private static func withoutSpaceAtEnd(_ line: String) -> String {
    guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
    return String(line[...last])
  }
}
