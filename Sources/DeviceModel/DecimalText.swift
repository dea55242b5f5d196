extension Double {
  /// The finite number that the text writes in digits, with a sign, a point and an exponent, and with nothing else
  /// before, behind or between; nil otherwise.
  ///
  /// `Double.init` reads more than people write: hexadecimal, `inf`, `nan`, and whatever stands before a NUL.
  package init?(decimalText text: some StringProtocol) {
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    self = number
  }
}
