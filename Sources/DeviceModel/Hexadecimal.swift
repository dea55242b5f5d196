extension Sequence<UInt8> {
  /// Two small hexadecimal digits a byte: `0aff`.
  public var hexadecimal: String {
    String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
      guard let high = value(of: written[place]), let low = value(of: written[place + 1]) else { return nil }
      append(high << 4 | low)
    }
  }
}

private let digits = Array("0123456789abcdef".utf8)

private func value(of digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
