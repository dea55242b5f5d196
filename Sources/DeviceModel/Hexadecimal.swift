extension Sequence<UInt8> {
  /// Two small hexadecimal digits a byte: `0aff`.
  public var hexadecimal: String { String(decoding: hexadecimalDigits, as: UTF8.self) }

  /// ``hexadecimal`` as ASCII.
  public var hexadecimalDigits: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      text.append((byte >> 4).hexadecimalDigit)
      text.append(byte.hexadecimalDigit)
    }
    return text
  }

  /// As people write bytes: in capitals, with something between them.
  package func capitalHexadecimal(separator: String = "") -> String {
    map { [$0].hexadecimal.uppercased() }.joined(separator: separator)
  }
}

extension [UInt8] {
  /// Pairs of hexadecimal digits in either case, without anything between them; nil for anything else.
  public init?(hexadecimal text: some StringProtocol) {
    let written = Array(text.utf8)
    guard written.count.isMultiple(of: 2) else { return nil }
    self.init()
    reserveCapacity(written.count / 2)
    for place in stride(from: 0, to: written.count, by: 2) {
      guard let high = written[place].hexadecimalValue, let low = written[place + 1].hexadecimalValue else {
        return nil
      }
      append(high << 4 | low)
    }
  }

  /// As people write bytes: spaces and tabs are passed over; nil for anything else and for half a byte.
  package init?(spacedHexadecimal text: some Sequence<UInt8>) {
    self.init(hexadecimal: String(decoding: text.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self))
  }
}

extension UInt8 {
  /// The small hexadecimal digit of the lower four bits, as ASCII.
  public var hexadecimalDigit: UInt8 {
    let number = self & 15
    return number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }

  /// 0 to 15 of the ASCII character that is a hexadecimal digit, in either case; nil for any other.
  public var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
