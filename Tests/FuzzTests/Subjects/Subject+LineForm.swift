@testable import Adapters

extension Subject {
  /// Every byte is told once at most, lines are what was framed, and a body means the same again.
  static let lineForm = Subject("line-form") { input throws(Violation) in
    let stream = Pieces(input)
    var reader = LineForm.Reader()
    var pieces: [LineForm.Reader.Piece] = []
    for part in stream.parts { reader.receive(part, into: &pieces) }
    var told = 0
    for piece in pieces {
      switch piece {
      case .outside(let bytes):
        try require(!bytes.isEmpty, "no bytes outside")
        told += bytes.count
      case .dropped(let count, _):
        try require((1...256).contains(count), "\(count) bytes were dropped")
        told += count
      case .line(let body):
        told += body.count + 6
        try again(body)
      }
    }
    try require(
      told + reader.pending <= stream.whole.count, "\(told) of \(stream.whole.count) bytes are told")
    try require(reader.pending <= 256, "\(reader.pending) bytes are held back")
    // Whatever came before, the next line arrives.
    pieces.removeAll()
    reader.receive(
      LineForm.framed(stream.whole.filter { $0 >= 0x20 && $0 != 0x7E && $0 != 0x7F }), into: &pieces)
    reader.receive(LineForm.BridgeLine.ping.bytes, into: &pieces)
    try require(pieces.last == .line([UInt8(ascii: "P")]), "a line is lost behind \(pieces)")
    body(stream.whole)
  }

  /// A body without its frame: an error at worst.
  private static func body(_ bytes: [UInt8]) { _ = try? LineForm.BoardLine(bytes) }

  private static func again(_ body: [UInt8]) throws(Violation) {
    var reader = LineForm.Reader()
    var pieces: [LineForm.Reader.Piece] = []
    reader.receive(LineForm.framed(body), into: &pieces)
    try require(pieces == [.line(body)], "\(body) framed again reads as \(pieces)")
    guard let line = try? LineForm.BoardLine(body) else { return }
    switch line {
    case .value(let index, .number(let number)):
      let text = LineForm.text(of: number)
      let written = Array("v\(index)=\(text)".utf8)
      try require((try? LineForm.BoardLine(written)) == line, "\(number) is written as \(text)")
    case .value(let index, .text(let text)):
      let written = Array("v\(index)=\"".utf8) + LineForm.escaped(text)
      try require((try? LineForm.BoardLine(written)) == line, "a text reads differently again")
    case .hello(let hello): try require(hello.count <= 100 && hello.limit >= 24, "\(hello)")
    default: break
    }
  }
}
