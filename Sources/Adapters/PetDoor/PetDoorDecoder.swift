/// Cuts what the pet door's board sends into messages.
///
/// On old sketches one notification is one message and nothing ends it; newer ones end messages with `\n` and may
/// split one over several notifications. Both are read by the same rule: a message is whole when all of it is there
/// (its temperature has exactly two decimals) and what follows is the end of the notification, a line's end or the
/// beginning of another message. No message begins as another goes on, so that a lost piece spoils one message only.
struct PetDoorDecoder: Sendable {
  /// The beginning of a message, shorter than the longest: `s:0;t:-127.00`.
  private var rest: [UInt8] = []

  enum Piece: Hashable, Sendable {
    case message(PetDoorMessage)
    /// Bytes that are no message.
    case garbage(bytes: Int)
  }

  var isBetweenMessages: Bool { rest.isEmpty }

  mutating func reset() { rest.removeAll() }

  mutating func receive(_ bytes: [UInt8], into pieces: inout [Piece]) {
    var buffer = rest
    buffer.append(contentsOf: bytes)
    rest.removeAll(keepingCapacity: true)
    var index = 0
    var garbage = 0
    while index < buffer.count {
      switch Self.message(at: index, in: buffer) {
      case .whole(let message, let size):
        if garbage > 0 { pieces.append(.garbage(bytes: garbage)) }
        garbage = 0
        pieces.append(.message(message))
        index += size
      case .incomplete:
        rest.append(contentsOf: buffer[index...])
        index = buffer.count
      case .none:
        if garbage > 0 || !Self.isLineEnd(buffer[index]) { garbage += 1 }
        index += 1
      }
    }
    if garbage > 0 { pieces.append(.garbage(bytes: garbage)) }
  }

  private enum Reading {
    case whole(PetDoorMessage, size: Int)
    case incomplete
    case none
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func message(at start: Int, in buffer: [UInt8]) -> Reading {
    guard buffer[start] == UInt8(ascii: "s") || buffer[start] == UInt8(ascii: "m") else { return .none }
    var scanner = Scanner(buffer: buffer, index: start)
    let message: PetDoorMessage
    do throws(Scanner.Failure) {
      message = try scanner.message()
    } catch {
      return error == .end ? .incomplete : .none
    }
    guard scanner.index == buffer.count || "sm\r\n".utf8.contains(buffer[scanner.index]) else { return .none }
    return .whole(message, size: scanner.index - start)
  }
}

private struct Scanner {
  let buffer: [UInt8]
  var index: Int

  enum Failure: Error { case end, wrong }

  mutating func message() throws(Failure) -> PetDoorMessage {
    switch try next() {
    case UInt8(ascii: "m"):
      try expect(":")
      return .manualLock(isOn: try truth())
    case UInt8(ascii: "s"):
      try expect(":")
      let isOpen = try truth()
      for letter: Unicode.Scalar in [";", "t", ":"] { try expect(letter) }
      guard let temperature = PetDoorTemperature(hundredths: try hundredths()) else { throw .wrong }
      return .status(isOpen: isOpen, temperature)
    default: throw .wrong
    }
  }

  private mutating func next() throws(Failure) -> UInt8 {
    guard index < buffer.count else { throw .end }
    index += 1
    return buffer[index - 1]
  }

  private mutating func expect(_ letter: Unicode.Scalar) throws(Failure) {
    guard try next() == UInt8(ascii: letter) else { throw .wrong }
  }

  private mutating func truth() throws(Failure) -> Bool {
    switch try next() {
    case UInt8(ascii: "0"): return false
    case UInt8(ascii: "1"): return true
    default: throw .wrong
    }
  }

  private mutating func digit() throws(Failure) -> Int {
    let byte = try next()
    guard (0x30...0x39).contains(byte) else { throw .wrong }
    return Int(byte - 0x30)
  }

  /// One to three digits, a point and two digits, as Arduino's `print` writes a number with two decimals.
  private mutating func hundredths() throws(Failure) -> Int {
    let isNegative = index < buffer.count && buffer[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var whole = try digit()
    var digits = 1
    while index < buffer.count, buffer[index] != UInt8(ascii: ".") {
      whole = whole * 10 + (try digit())
      digits += 1
      guard digits <= 3 else { throw .wrong }
    }
    try expect(".")
    let tens = try digit()
    let magnitude = whole * 100 + tens * 10 + (try digit())
    return isNegative ? -magnitude : magnitude
  }
}
