@testable import Adapters

extension Subject {
  /// Lines do not depend on the pieces in which they come; encodings read back what they wrote.
  static let lines = Subject("lines") { input throws(Violation) in
    let stream = Pieces(input)
    var whole = LineFraming()
    var broken = LineFraming()
    var expected: [LineFraming.Piece] = []
    var lines: [LineFraming.Piece] = []
    whole.receive(stream.whole, into: &expected)
    for part in stream.parts { broken.receive(part, into: &lines) }
    try require(
      lines == expected && broken.pending == whole.pending, "pieces make other lines than the whole")
    for case .line(let line) in lines {
      try require(
        line.count <= LineFraming.longestLine && !line.contains(0x0A), "a line of \(line.count) bytes")
    }
    for encoding in ByteEncoding.allCases {
      let encoded = encoding.encode(stream.whole)
      let decoded = try? encoding.decode(encoded)
      try require(decoded == stream.whole, "\(encoding) does not read what it wrote")
      try require(encoded.count <= 2 * stream.whole.count + 4, "\(encoding) makes \(encoded.count) bytes")
      guard let bytes = try? encoding.decode(stream.whole) else { continue }
      try require(bytes.count <= stream.whole.count, "\(encoding) reads \(bytes.count) bytes")
      let again = try? encoding.decode(encoding.encode(bytes))
      try require(again == bytes, "\(encoding) does not write what it read")
    }
  }
}
