/// Numbers as `print` writes them.
enum DecimalNumber {
  /// Digits with a sign, a point and an exponent; `nan` and `inf` in either case are no finite number. Nil for all else.
  static func parse(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan", "inf", "-inf", "ovf", "-ovf", "-nan": return .nan
    default: break
    }
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
      default: false
      }
    }
    guard isDecimal, text.utf8.count <= 64, let number = Double(text) else { return nil }
    return number
  }

  /// `007` is a name rather than a number.
  static func hasLeadingZero(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == 0x2D || $0 == 0x2B }
    return digits.count > 1 && digits.first == 0x30 && digits.dropFirst().first != 0x2E
      && digits.dropFirst().first.map { (0x30...0x39).contains($0) } == true
  }
}
