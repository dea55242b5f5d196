/// Cuts a stream into lines. `\n` or `\r\n` ends a line; a line that is too long is passed over as a whole.
struct LineFraming: Sendable {
  private var rest: [UInt8] = []
  /// Bytes passed over of a line that is too long; 0 when none is.
  private var skipped = 0

  /// Bytes of a line, its end not counted.
  static let longestLine = 4096

  enum Piece: Hashable, Sendable {
    case line([UInt8])
    case tooLong(bytes: Int)
  }

  /// Bytes of a line whose end has not come.
  var pending: Int { rest.count + skipped }

  mutating func reset() {
    rest.removeAll()
    skipped = 0
  }

  mutating func receive(_ bytes: [UInt8], into pieces: inout [Piece]) {
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      endLine(with: bytes[start..<end], into: &pieces)
      start = end + 1
    }
    guard start < bytes.count else { return }
    hold(bytes[start...])
  }

  private mutating func endLine(with part: ArraySlice<UInt8>, into pieces: inout [Piece]) {
    if rest.isEmpty, skipped == 0, part.count <= Self.longestLine {
      return pieces.append(.line(Array(part.last == 0x0D ? part.dropLast() : part)))
    }
    hold(part)
    if rest.last == 0x0D { rest.removeLast() }
    if skipped > 0 || rest.count > Self.longestLine {
      pieces.append(.tooLong(bytes: skipped + rest.count))
    } else {
      pieces.append(.line(rest))
    }
    rest = []
    skipped = 0
  }

  private mutating func hold(_ part: ArraySlice<UInt8>) {
    guard skipped == 0, rest.count + part.count <= Self.longestLine + 1 else {
      skipped += rest.count + part.count
      rest = []
      return
    }
    rest.append(contentsOf: part)
  }
}
