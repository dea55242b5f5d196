/// How a number stands in bytes.
struct NumberFormat: Sendable, Hashable {
  var size: Int
  var isSigned = false
  var isFloat = false
  var isBigEndian = false

  /// `u8`, `i16`, `u16be`, `f32`, …; nil for anything else.
  init?(_ word: some StringProtocol) {
    guard let format = Self.named[String(word)] else { return nil }
    self = format
  }

  private init(size: Int, isSigned: Bool, isFloat: Bool, isBigEndian: Bool) {
    self.size = size
    self.isSigned = isSigned
    self.isFloat = isFloat
    self.isBigEndian = isBigEndian
  }

  static let words: [String] =
    ["u8", "i8"]
    + ["u16", "i16", "u24", "i24", "u32", "i32", "f32"].flatMap { [$0, $0 + "be"] }

  private static let named: [String: NumberFormat] = Dictionary(
    uniqueKeysWithValues: words.map { word in
      let digits = word.dropFirst().prefix { $0.isNumber }
      return (
        word,
        NumberFormat(
          size: (Int(digits) ?? 8) / 8, isSigned: word.hasPrefix("i"), isFloat: word.hasPrefix("f"),
          isBigEndian: word.hasSuffix("be"))
      )
    })

  /// `bytes` has ``size`` of them.
  func number(in bytes: ArraySlice<UInt8>) -> Double {
    let bits = isBigEndian ? bits(of: bytes) : self.bits(of: bytes.reversed())
    // By way of its text: 21.3 in four bytes is 21.3 and not 21.299999237.
    if isFloat { return Double(Float(bitPattern: bits).description) ?? .nan }
    let width = UInt32(8 * size)
    guard isSigned, bits >> (width - 1) == 1 else { return Double(bits) }
    return Double(bits) - Double(UInt64(1) << UInt64(width))
  }

  func integer(in bytes: ArraySlice<UInt8>) -> Int { Int(number(in: bytes)) }

  private func bits(of bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  var range: ClosedRange<Double> {
    if isFloat { return -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude) }
    let values = Double(UInt64(1) << UInt64(8 * size))
    return isSigned ? -values / 2...values / 2 - 1 : 0...values - 1
  }

  /// Rounded to a whole number, but for a float; nil when it is outside ``range``.
  func bytes(of number: Double) -> [UInt8]? {
    let value = isFloat ? number : number.rounded()
    guard range.contains(value) else { return nil }
    let bits = isFloat ? UInt64(Float(value).bitPattern) : UInt64(bitPattern: Int64(value))
    let little = (0..<size).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }
}
