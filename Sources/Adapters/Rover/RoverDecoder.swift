/// Cuts what the rover's board says into readings of its accelerometer.
///
/// On old sketches one notification is one message; newer ones end messages with `\n` and may split one over several
/// notifications. The first line's end tells a newer one: until then what is left of a notification is garbage, for
/// joined with the next it would be another number.
struct RoverDecoder: Sendable {
  /// Of a line that has not ended.
  private var rest: [UInt8] = []
  private var hasLines = false

  /// The longest message is `-156.91:-156.91`.
  private static let longestLine = 32

  enum Piece: Hashable, Sendable {
    case tilt(Tilt)
    /// Bytes that are no message.
    case garbage(bytes: Int)
  }

  /// In hundredths of m/s².
  struct Tilt: Hashable, Sendable {
    var across: Int
    var along: Int
  }

  /// What the accelerometer can say, in its widest range of 16 g.
  static let mostHundredths = 15_700

  mutating func reset() { self = RoverDecoder() }

  mutating func receive(_ bytes: [UInt8], into pieces: inout [Piece]) {
    if !hasLines {
      guard bytes.contains(0x0A) else { return read(bytes[...], into: &pieces) }
      hasLines = true
    }
    for byte in bytes {
      if byte == 0x0A {
        read(rest.last == 0x0D ? rest.dropLast() : rest[...], into: &pieces)
        rest.removeAll(keepingCapacity: true)
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      } else {
        // No line is as long: the board was flashed anew, or this is noise.
        pieces.append(.garbage(bytes: rest.count + 1))
        reset()
        return
      }
    }
  }

  /// One message, or several glued together; anything else spoils the whole.
  private func read(_ text: ArraySlice<UInt8>, into pieces: inout [Piece]) {
    guard !text.isEmpty else { return }
    var scanner = TiltScanner(buffer: text, index: text.startIndex)
    var tilts: [Piece] = []
    do throws(TiltScanner.Failure) {
      while scanner.index < text.endIndex { tilts.append(.tilt(try scanner.tilt())) }
      pieces += tilts
    } catch {
      pieces.append(.garbage(bytes: text.count))
    }
  }
}

private struct TiltScanner {
  let buffer: ArraySlice<UInt8>
  var index: Int

  enum Failure: Error { case wrong }

  mutating func tilt() throws(Failure) -> RoverDecoder.Tilt {
    let across = try hundredths()
    guard try next() == UInt8(ascii: ":") else { throw .wrong }
    return RoverDecoder.Tilt(across: across, along: try hundredths())
  }

  private mutating func next() throws(Failure) -> UInt8 {
    guard index < buffer.endIndex else { throw .wrong }
    index += 1
    return buffer[index - 1]
  }

  private mutating func digit() throws(Failure) -> Int {
    let byte = try next()
    guard (0x30...0x39).contains(byte) else { throw .wrong }
    return Int(byte - 0x30)
  }

  /// One to three digits, a point and two digits, after a `-` if negative.
  private mutating func hundredths() throws(Failure) -> Int {
    let isNegative = index < buffer.endIndex && buffer[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var whole = try digit()
    var digits = 1
    while index < buffer.endIndex, buffer[index] != UInt8(ascii: ".") {
      whole = whole * 10 + (try digit())
      digits += 1
      guard digits <= 3 else { throw .wrong }
    }
    guard try next() == UInt8(ascii: ".") else { throw .wrong }
    let tens = try digit()
    let magnitude = whole * 100 + tens * 10 + (try digit())
    guard magnitude <= RoverDecoder.mostHundredths else { throw .wrong }
    return isNegative ? -magnitude : magnitude
  }
}
