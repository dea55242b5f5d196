extension Sequence<UInt8> {
  /// Two small hexadecimal digits a byte: `0aff`.
  public var hexadecimal: String { String(decoding: hexadecimalDigits, as: UTF8.self) }

  /// ``hexadecimal`` as ASCII.
  public var hexadecimalDigits: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
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
}

private let digits = Array("0123456789abcdef".utf8)

extension UInt8 {
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
