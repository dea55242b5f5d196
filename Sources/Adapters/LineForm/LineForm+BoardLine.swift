import DeviceModel

extension LineForm {
  /// What a board says in one line.
  enum BoardLine: Hashable, Sendable {
    case hello(Hello)
    case description(Entity)
    case greeting(Token)
    case value(index: Int, BareValue)
    /// The type counts from 0.
    case event(index: Int, type: Int)
    case accepted(sequence: UInt8)
    case refused(sequence: UInt8, Refusal, words: String?)
    /// Lines since the greeting, lines that arrived broken, events that found no room; modulo 65536.
    case pong(lines: Int, dropped: Int, lostEvents: Int)
  }

  /// Why a board does not do what was commanded.
  enum Refusal: Hashable, Sendable {
    case rejection(Rejection.Reason)
    /// Nobody has greeted it.
    case noSession

    init(letter: UInt8) {
      switch Unicode.Scalar(letter) {
      case "b": self = .rejection(.busy)
      case "l": self = .rejection(.lockedOut)
      case "f": self = .rejection(.full)
      case "r": self = .rejection(.outOfRange)
      case "i": self = .rejection(.invalid)
      case "k": self = .rejection(.unknownProperty)
      case "o": self = .rejection(.readOnly)
      case "u": self = .rejection(.unsupported)
      case "s": self = .noSession
      default: self = .rejection(.notNow)
      }
    }
  }
}

extension LineForm.BoardLine {
  init(_ body: [UInt8]) throws(LineForm.Malformation) {
    guard let letter = body.first else { throw .malformed("a line without a body") }
    let rest = body.dropFirst()
    switch Unicode.Scalar(letter) {
    case "h": self = .hello(try LineForm.Hello(Self.valid(body)))
    case "d": self = .description(try LineForm.Entity(Self.valid(body)))
    case "g":
      guard let token = LineForm.Token(rest) else {
        throw .malformed("a greeting has eight hexadecimal digits")
      }
      self = .greeting(token)
    case "v":
      let (index, value) = try Self.indexed(Self.valid(body).dropFirst(), "a value")
      self = .value(index: index, try LineForm.BareValue(value))
    case "e":
      let (index, type) = try Self.indexed(rest, "an event")
      guard let number = LineForm.small(type, digits: 3, limit: 255) else {
        throw .malformed("an event's type is a number")
      }
      self = .event(index: index, type: number)
    case "a": self = try Self.answer(Self.valid(body).dropFirst())
    case "p":
      let numbers = LineForm.fields(rest).compactMap { LineForm.small($0, limit: 65535) }
      guard numbers.count == 3, LineForm.fields(rest).count == 3 else {
        throw .malformed("a pong has three numbers")
      }
      self = .pong(lines: numbers[0], dropped: numbers[1], lostEvents: numbers[2])
    default: throw .unknownLetter(letter)
    }
  }

  private static func valid(_ body: [UInt8]) throws(LineForm.Malformation) -> [UInt8] {
    guard String(validating: body, as: UTF8.self) != nil else { throw .notUTF8 }
    return body
  }

  private static func indexed(
    _ bytes: ArraySlice<UInt8>, _ what: String
  ) throws(LineForm.Malformation) -> (Int, ArraySlice<UInt8>) {
    guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")),
      let index = LineForm.small(bytes[..<sign], digits: 2, limit: LineForm.mostEntities - 1)
    else { throw .malformed("\(what) begins with the entity's index and =") }
    return (index, bytes[(sign + 1)...])
  }

  private static func answer(_ bytes: ArraySlice<UInt8>) throws(LineForm.Malformation) -> Self {
    let malformed = LineForm.Malformation.malformed("an answer is a sequence and +, or - and a reason")
    guard let sequence = bytes.first, LineForm.isSequence(sequence) else { throw malformed }
    let rest = bytes.dropFirst()
    if rest.elementsEqual("+".utf8) { return .accepted(sequence: sequence) }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard rest.first == UInt8(ascii: "-"), let letter = rest.dropFirst().first, letters.contains(letter)
    else {
      throw malformed
    }
    let behind = rest.dropFirst(2)
    guard let bar = behind.first else {
      return .refused(sequence: sequence, LineForm.Refusal(letter: letter), words: nil)
    }
    guard bar == UInt8(ascii: "|") else { throw malformed }
    let words = try LineForm.unescaped(behind.dropFirst(), "a refusal")
    return .refused(
      sequence: sequence, LineForm.Refusal(letter: letter), words: words.isEmpty ? nil : words)
  }
}

extension LineForm {
  /// `0`…`9`, `a`…`z`.
  static func isSequence(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
